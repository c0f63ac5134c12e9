import type { Authenticate } from "../identity/identity.ts";

/**
 * Whether one of our services sent the request. Only then is what it says of its visitor believed: anybody else could
 * write a new address with every try.
 */
export async function isFromOurService(request: Request, authenticate: Authenticate): Promise<boolean> {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const caller = bearer ? await authenticate(bearer).catch(() => undefined) : undefined;
  return caller?.kind === "service";
}

/** The visitor's address as the portal saw it, by which open forms are limited; undefined for whoever calls directly. */
export async function readVisitorAddress(request: Request, authenticate: Authenticate): Promise<string | undefined> {
  if (!(await isFromOurService(request, authenticate))) return undefined;
  return request.headers.get("x-client-address") ?? undefined;
}
