import type { Authenticate } from "../identity/identity.ts";

/**
 * Whether one of our services sent the request. Only then is what it says of its visitor believed: anybody else could
 * write a new address with every try.
 */
export async function isFromOurService(request: Request, authenticate: Authenticate): Promise<boolean> {
  const bearer = bearerOf(request.headers.get("authorization"));
  const caller = bearer ? await authenticate(bearer).catch(() => undefined) : undefined;
  return caller?.kind === "service";
}

function bearerOf(header: string | null): string | undefined {
  return /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
}

/**
 * The address a person's request came from, as the portal or the gateway saw it. They send the person's own token, so
 * one of theirs stands beside the address and vouches for it.
 */
export async function readVouchedAddress(request: Request, authenticate: Authenticate): Promise<string | undefined> {
  const address = request.headers.get("x-client-address");
  if (!address || address.length > 45) return undefined;
  for (const header of ["x-client-address-voucher", "authorization"]) {
    const token = bearerOf(request.headers.get(header));
    const caller = token ? await authenticate(token).catch(() => undefined) : undefined;
    if (caller?.kind === "service") return address;
  }
  return undefined;
}

/** The visitor's address as the portal saw it, by which open forms are limited; undefined for whoever calls directly. */
export async function readVisitorAddress(request: Request, authenticate: Authenticate): Promise<string | undefined> {
  if (!(await isFromOurService(request, authenticate))) return undefined;
  return request.headers.get("x-client-address") ?? undefined;
}
