// One formatter for all: `toLocaleString` looks its locale up again at every call, which shows in lists.
const format = new Intl.NumberFormat("en");

/** A whole number with its thousands apart: `11,240`. */
export function formatCount(count: number): string {
  // Most counts of a list, without the formatter's work.
  return count >= 0 && count < 1_000 ? String(count) : format.format(count);
}
