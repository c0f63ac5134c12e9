import type { Mark } from "#contracts/test-analyzer/marks.ts";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { markWords, type StepMarks } from "./step-marks";
import * as styles from "./trend-plots.css";
import { stepWords } from "./trend-words";
import type { WindowTimes } from "./window-bands";

export interface MarkListProps {
  steps: readonly StepMarks[];
  windows: readonly WindowTimes[];
  timeZone: string;
}

/** Legend of the numbers and letters in the plots. */
export function MarkList({ steps, windows, timeZone }: MarkListProps) {
  const count = steps.reduce((sum, { marks }) => sum + marks.length, windows.length);
  if (count === 0) return null;
  const at = (moment: string) => stepWords(moment, "7d", timeZone).label;
  return (
    <Disclosure summary={`What changed (${count})`} open={count <= 5}>
      <ul className={styles.marks}>
        {steps.flatMap(({ label, marks }) =>
          marks.map((mark) => (
            <li key={mark.id}>
              <strong>{label}</strong> {at(mark.at)} <MarkName mark={mark} />
            </li>
          )),
        )}
        {windows.map(({ label, name, times }) => (
          <li key={label + name}>
            <strong>{label}</strong> {at(times[0]!.from)} to {at(times[0]!.to)} Maintenance: {name}
            {times.length > 1 && `, and ${plural(times.length - 1, "more time")}`}
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

/** Links to details, if there is a page with them. */
export function MarkName({ mark }: { mark: Mark }) {
  const words = mark.apiName ? `${markWords(mark)} (${mark.apiName})` : markWords(mark);
  return mark.url ? (
    <a href={mark.url} rel="noreferrer">
      {words}
    </a>
  ) : (
    words
  );
}
