/** A version as strong entity tag (RFC 9110, 8.8.3). */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** The versions in `If-Match`; undefined when any version matches. Unknown tags match no version. */
export function parseIfMatch(ifMatch: string | null): number[] | undefined {
  if (ifMatch === null || ifMatch.trim() === "*") return undefined;
  return [...ifMatch.matchAll(/(?:^|,)\s*"(\d{1,9})"\s*(?=,|$)/g)].map((match) => Number(match[1]));
}
