import { type TrendRange, trendRanges } from "#contracts/test-analyzer/trends.ts";
import { Choices } from "~/ui/choices/choices";
import { listAddress } from "~/ui/list-page/list-address";
import * as styles from "./trend-plots.css";
import { rangeWords } from "./trend-words";

/** Links to the same page for each of the ranges. */
export function RangeLinks({ address, current }: { address: string; current: TrendRange }) {
  return (
    <nav aria-label="Range of the trends">
      <Choices
        className={styles.ranges}
        items={trendRanges.map((range) => ({
          label: rangeWords[range],
          href: listAddress(address, { range }),
          current: range === current,
        }))}
      />
    </nav>
  );
}
