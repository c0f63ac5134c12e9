/**
 * The address of a list with some of its filters changed, the others kept; undefined or "" removes one. Any change
 * returns to the first page unless `cursor` is among the changes.
 */
export function listAddress(current: string | URL, changes: Record<string, string | undefined>): string {
  const { pathname, searchParams } = new URL(current, "http://list.invalid");
  const search = new URLSearchParams(searchParams);
  for (const name of ["cursor", "dialog", "ticked"]) search.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
  const text = search.toString();
  return text ? `${pathname}?${text}` : pathname;
}
