import { type TrendRange, trendRanges } from "#contracts/test-analyzer/trends.ts";
import { listAddress } from "~/ui/list-page/list-address";
import * as styles from "./trend-plots.css";
import { rangeWords } from "./trend-words";

/** Links to the same page for each of the ranges. */
export function RangeLinks({ address, current }: { address: string; current: TrendRange }) {
  return (
    <nav aria-label="Range of the trends">
      <ul className={styles.ranges}>
        {trendRanges.map((range) => (
          <li key={range}>
            <a
              href={listAddress(address, { range })}
              className={styles.range}
              aria-current={range === current ? "true" : undefined}
            >
              {rangeWords[range]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
