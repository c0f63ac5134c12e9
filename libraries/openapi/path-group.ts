/**
 * The first meaningful segment of a path: `pets` in `/api/v1/{tenant}/pets/{petId}`. Common prefixes such as versions
 * would put all operations in one group. PostgreSQL and JavaScript match it alike.
 */
export const pathGroupPattern = "(?:^|[/?#])((?!(?:api|rest|v[0-9][0-9a-z._-]*)(?:[/?#]|$))[^/{?#][^/?#]*)" as const;

/** The group of paths without such a segment. */
export const rootGroup = "/";

const pattern = new RegExp(pathGroupPattern);

export function getPathGroup(path: string): string {
  return pattern.exec(path)?.[1] ?? rootGroup;
}
