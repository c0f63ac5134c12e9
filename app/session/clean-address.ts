/** Where an empty value has a meaning: operations without a tag. */
const meansEmpty = /\/swagger(\/|$)/;

/**
 * The path and parameters of an address without those that are empty, as forms send them for fields that nobody filled
 * in; undefined where there are none. A name without `=` is a flag, not a field.
 */
export function withoutEmptyParameters(address: string): string | undefined {
  const { pathname, search } = new URL(address);
  if (meansEmpty.test(pathname)) return undefined;
  const given = search.slice(1).split("&");
  const filled = given.filter((parameter) => !/^[^=]+=$/.test(parameter));
  if (filled.length === given.length) return undefined;
  return filled.length > 0 ? `${pathname}?${filled.join("&")}` : pathname;
}
