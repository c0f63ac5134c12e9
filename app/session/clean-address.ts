/** Here an empty value selects operations without a tag. */
const meansEmpty = /\/swagger(\/|$)/;

/**
 * Removes the empty parameters that forms send for blank fields. A name without `=` is a flag and stays.
 * @returns path and remaining parameters; undefined if none was empty
 */
export function withoutEmptyParameters(address: string): string | undefined {
  const { pathname, search } = new URL(address);
  if (meansEmpty.test(pathname)) return undefined;
  const given = search.slice(1).split("&");
  const filled = given.filter((parameter) => !/^[^=]+=$/.test(parameter));
  if (filled.length === given.length) return undefined;
  return filled.length > 0 ? `${pathname}?${filled.join("&")}` : pathname;
}
