import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { formatAgo } from "~/ui/moment/moment";

export interface Outcome {
  /** Null: cancelled without one. */
  verdict: Verdict | null;
  finishedAt: string;
}

const isPassed = ({ verdict }: Outcome) => verdict === "passed" || verdict === "flaky";
const isFailed = ({ verdict }: Outcome) => verdict === "failed" || verdict === "errored" || verdict === "blocked";

/**
 * What a strip of verdicts says: "21 of 22 runs passed, last failed 2 h ago".
 * @param outcomes in any order; skipped and cancelled ones count neither way
 * @param noun of one of them, such as "run"
 */
export function stripWords(outcomes: readonly Outcome[], noun: string, now: string): string {
  const failed = outcomes.filter(isFailed);
  const passed = outcomes.filter(isPassed).length;
  const regional = outcomes.filter(({ verdict }) => verdict === "regional").length;
  const total = passed + regional + failed.length;
  if (total === 0) return `None of the last ${noun}s has a verdict`;
  const last = failed.map(({ finishedAt }) => finishedAt).reduce((one, other) => (one > other ? one : other), "");
  return `${passed} of ${total} ${noun}${total === 1 ? "" : "s"} passed${regional > 0 ? `, ${regional} regional` : ""}${last && `, last failed ${formatAgo(last, now)}`}`;
}
