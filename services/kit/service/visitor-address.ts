import type { Authenticate } from "../identity/identity.ts";

/**
 * Whether one of the portal's services sent the request. Only then is its visitor address trusted: other senders could
 * claim a new address on every attempt.
 */
export async function isFromOurService(request: Request, authenticate: Authenticate): Promise<boolean> {
  const bearer = readBearer(request.headers.get("authorization"));
  const caller = bearer ? await authenticate(bearer).catch(() => undefined) : undefined;
  return caller?.kind === "service";
}

function readBearer(header: string | null): string | undefined {
  return /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
}

/**
 * The address of a user's request, as seen by the portal or the gateway. They send the user's own token, so a token of
 * theirs is sent with the address and vouches for it.
 */
export async function readVouchedAddress(request: Request, authenticate: Authenticate): Promise<string | undefined> {
  const address = request.headers.get("x-client-address");
  if (!address || address.length > 45) return undefined;
  for (const header of ["x-client-address-voucher", "authorization"]) {
    const token = readBearer(request.headers.get(header));
    const caller = token ? await authenticate(token).catch(() => undefined) : undefined;
    if (caller?.kind === "service") return address;
  }
  return undefined;
}

/** The visitor's address as seen by the portal, used to rate-limit public forms; undefined for direct callers. */
export async function readVisitorAddress(request: Request, authenticate: Authenticate): Promise<string | undefined> {
  if (!(await isFromOurService(request, authenticate))) return undefined;
  return request.headers.get("x-client-address") ?? undefined;
}
