import type { ReactNode } from "react";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { runAddress } from "~/features/runs/run-address";
import { getStatus, isUnfinished, statusWords } from "~/features/verdict/verdict-words";
import { plural } from "~/ui/count/plural";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import type { DisplayedCircleStatus } from "./circle-statuses.server";

export interface CircleSummaryProps {
  apiId: string;
  /** Newest first; undefined where unknown. */
  runs: readonly RunSummary[] | undefined;
  since: DisplayedCircleStatus["since"];
  /** The time of the next run, or why there is none. */
  next: ReactNode;
}

/** The state of a circle in a look: how its last run ended, since when, why, and what comes next. */
export function CircleSummary({ apiId, runs, since, next }: CircleSummaryProps) {
  if (!runs) {
    return (
      <Notice tone="neutral" title="Its runs can't be shown right now">
        Next run: {next}.
      </Notice>
    );
  }
  const running = runs.find(isUnfinished);
  const last = runs.find(({ verdict }) => verdict !== null);
  if (!last) {
    return (
      <Notice
        tone={running ? "info" : "neutral"}
        title={running ? "Its first run is in progress" : "It has not run yet"}
      >
        {running ? <a href={runAddress(apiId, running)}>See the run</a> : <>Next run: {next}.</>}
      </Notice>
    );
  }
  const { tone } = statusWords[getStatus(last)];
  return (
    <Notice
      tone={tone}
      title={
        <>
          {outcomeWords(last)}
          {since && (
            <>
              {since.isExact ? " since " : " since at least "}
              <Moment value={since.at} />
            </>
          )}
        </>
      }
    >
      {tone !== "success" && last.reason && <p>{last.reason}</p>}
      <p>
        <a href={runAddress(apiId, last)}>See the last run</a>. Next run: {next}.
        {running && (
          <>
            {" "}
            <a href={runAddress(apiId, running)}>Another is in progress</a>.
          </>
        )}
      </p>
    </Notice>
  );
}

/** `2 of 21 tests fail` */
function outcomeWords({ counts, verdict }: RunSummary): string {
  const { executions, failed, errored } = counts;
  const bad = failed + errored;
  if (bad > 0)
    return `${bad.toLocaleString("en")} of ${plural(executions, "execution")} ${bad === 1 ? "fails" : "fail"}`;
  if (verdict === "passed" || verdict === "flaky")
    return executions === 1 ? "It passes" : `All ${plural(executions, "execution")} pass`;
  return verdict === null ? "It was cancelled" : statusWords[verdict].word;
}
