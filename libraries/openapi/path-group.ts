/**
 * The first part of a path that names something: `pets` in `/api/v1/{tenant}/pets/{petId}`. Versions and the like stand
 * before everything and would put all operations in one group. PostgreSQL reads it as JavaScript does.
 */
export const pathGroupPattern = "(?:^|[/?#])((?!(?:api|rest|v[0-9][0-9a-z._-]*)(?:[/?#]|$))[^/{?#][^/?#]*)" as const;

/** What has no such part. */
export const rootGroup = "/";

const pattern = new RegExp(pathGroupPattern);

export function pathGroupOf(path: string): string {
  return pattern.exec(path)?.[1] ?? rootGroup;
}
