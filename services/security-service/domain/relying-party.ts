export interface RelyingParty {
  /** What passkeys are bound to: the portal's host name. */
  id: string;
  /** Where browsers use them. */
  origin: string;
}

const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.startsWith("[");
const isLoopback = (host: string) => /^127\./.test(host) || host === "[::1]";

/**
 * Whom passkeys are for. Browsers bind them to a name, never to an IP address: on this very machine the name is localhost.
 * @returns undefined where the portal is reached by another address
 */
export function relyingPartyOf(portalOrigin: string): RelyingParty | undefined {
  const url = new URL(portalOrigin);
  if (isLoopback(url.hostname)) url.hostname = "localhost";
  return isAddress(url.hostname) ? undefined : { id: url.hostname, origin: url.origin };
}
