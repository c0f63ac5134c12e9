import type { SortDirection } from "~/ui/table/table";
import { listAddress } from "./list-address";

/**
 * The link in the head of a column that sorts by it; by the current one in the opposite order.
 * @param sort the current order; a leading `-` reverses it
 * @param first the order of the first press, such as `-lastRun`: the newest first
 */
export function sortLink(address: string, sort: string, first: string): { href: string; direction?: SortDirection } {
  const by = first.replace("-", "");
  if (sort.replace("-", "") !== by) return { href: listAddress(address, { sort: first }) };
  const isReversed = sort.startsWith("-");
  return {
    href: listAddress(address, { sort: isReversed ? by : `-${by}` }),
    direction: isReversed ? "descending" : "ascending",
  };
}
