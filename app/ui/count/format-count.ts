// One shared formatter: `toLocaleString` resolves its locale at every call, which is noticeable in lists.
const format = new Intl.NumberFormat("en");

/** A whole number with thousands separators: `11,240`. */
export function formatCount(count: number): string {
  // Most counts of a list are small and need no formatter.
  return count >= 0 && count < 1_000 ? String(count) : format.format(count);
}
