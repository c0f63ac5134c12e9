export interface RelyingParty {
  /** The relying party ID: the portal's host name. */
  id: string;
  /** The origin where browsers use them. */
  origin: string;
}

const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.startsWith("[");
const isLoopback = (host: string) => /^127\./.test(host) || host === "[::1]";

/**
 * The relying party of passkeys. Browsers bind them to a name, never to an IP address: on loopback the name is
 * localhost.
 * @returns undefined when the portal is reached by another IP address
 */
export function toRelyingParty(portalOrigin: string): RelyingParty | undefined {
  const url = new URL(portalOrigin);
  if (isLoopback(url.hostname)) url.hostname = "localhost";
  return isAddress(url.hostname) ? undefined : { id: url.hostname, origin: url.origin };
}
