import { createEgress, type Egress, parseEgressAllow } from "#libraries/egress/egress.ts";
import { productVersion } from "../version.ts";

export const userAgent = `assurance/${productVersion}`;

export const isAddress = (source: string) => /^https?:\/\//i.test(source);

/** @param urls addresses that are requested even if they are on this machine or in a private network */
export function openEgress(urls: readonly string[]): Egress {
  const allow = urls.flatMap((url) => parseEgressAllow(toTarget(url)));
  return createEgress({ policy: { allow, allowLoopback: true, ownTargets: [] }, userAgent });
}

function toTarget(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
