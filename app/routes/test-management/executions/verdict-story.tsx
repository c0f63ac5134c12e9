import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { standingOf, standingWords } from "~/verdict/verdict-words";
import type { Execution } from "../../../../services/test-executioner/contract/executions.ts";

/** The verdict and its cause in words. */
export function VerdictStory({ execution }: { execution: Execution }) {
  const standing = standingOf(execution);
  const { tone, icon } = standingWords[standing];
  const last = execution.attempts.at(-1);
  return (
    <Notice tone={tone} icon={icon} title={titleOf(execution)}>
      {execution.cause && <p>{execution.cause.detail}</p>}
      {execution.startedAt && (
        <p>
          Started <Moment value={execution.startedAt} precise />
          {last && `, ${execution.attempts.length === 1 ? "one attempt" : `${execution.attempts.length} attempts`}`}
          {last && `, the last took ${formatMilliseconds(last.durationMilliseconds)}`}.
        </p>
      )}
    </Notice>
  );
}

function titleOf({ state, verdict, attempts }: Execution): string {
  if (state === "cancelled") return "Cancelled before it started";
  switch (verdict) {
    case "passed":
      return "Everything that was verified is as expected";
    case "failed":
      return "The answer is not what this test expects";
    case "errored":
      return "This could not be judged";
    case "flaky":
      return `Passed on attempt ${attempts.length}, after failing before`;
    case "blocked":
      return "A safety rule kept this request from being sent";
    default:
      return "Nothing was verified";
  }
}
