/** A version as strong entity tag (RFC 9110, 8.8.3). */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * The versions `If-Match` asks for; undefined when anything will do. What is not one of our tags matches no version.
 */
export function versionsOf(ifMatch: string | null): number[] | undefined {
  if (ifMatch === null || ifMatch.trim() === "*") return undefined;
  return [...ifMatch.matchAll(/(?:^|,)\s*"(\d{1,9})"\s*(?=,|$)/g)].map((match) => Number(match[1]));
}
