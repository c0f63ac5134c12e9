import type { Mark } from "#contracts/test-analyzer/marks.ts";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { markWords, type StepMarks } from "./step-marks";
import * as styles from "./trend-plots.css";
import { stepWords } from "./trend-words";

/** The meaning of the numbers in the plots. */
export function MarkList({ steps, timeZone }: { steps: readonly StepMarks[]; timeZone: string }) {
  if (steps.length === 0) return null;
  const count = steps.reduce((sum, { marks }) => sum + marks.length, 0);
  return (
    <Disclosure summary={`What changed (${count})`} open={count <= 5}>
      <ul className={styles.marks}>
        {steps.flatMap(({ label, marks }) =>
          marks.map((mark) => (
            <li key={mark.id}>
              <strong>{label}</strong> {stepWords(mark.at, "7d", timeZone).label} <MarkName mark={mark} />
            </li>
          )),
        )}
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
