import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Execution } from "#contracts/test-executioner/executions.ts";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { AttemptView } from "./attempt-view";
import { bodyMarks, headerMarks } from "./broken-locations";

interface ExecutionResultsProps {
  execution: Execution;
  verifications: readonly Verification[];
  /** The address selects this half: the page opens there, without script too. */
  isRequested: boolean;
  traceLink: string | undefined;
}

function SameResponse(stored: { apiId: string; testId: string; id: string; finishedAt: string }) {
  const { apiId, testId, id: testExecutionId } = stored;
  return (
    <p>
      The response was the same as in{" "}
      <a
        href={href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/results", {
          apiId,
          testId,
          testExecutionId,
        })}
      >
        the execution of <Moment value={stored.finishedAt} precise />
      </a>
      , which has its body. Of this one, the times, the verdict and what else differed are stored.
    </p>
  );
}

/** The request and the response, with errors marked, and the timing. */
export function ExecutionResults({ execution, verifications, isRequested, traceLink }: ExecutionResultsProps) {
  const { apiId, testId, id: testExecutionId } = execution;
  const location = { apiId, testId, testExecutionId };
  const [last, ...earlier] = [...execution.attempts].reverse();
  const headingId = { id: "results", tabIndex: -1, ...(isRequested ? { autoFocus: true } : {}) };
  return (
    <section aria-labelledby="results">
      <Stack gap="medium">
        <h2 {...headingId}>Results</h2>
        {execution.sameResponseAs && <SameResponse {...{ apiId, testId }} {...execution.sameResponseAs} />}
        {last?.request ? (
          <AttemptView
            attempt={last}
            params={location}
            bodyMarks={bodyMarks(verifications)}
            headerMarks={headerMarks(verifications)}
            traceLink={traceLink}
          />
        ) : execution.state === "cancelled" && execution.startedAt ? (
          <EmptyState headingLevel={3} title="No result">
            The test was waiting when its run was cancelled. Its attempts are not stored.
          </EmptyState>
        ) : (
          <EmptyState headingLevel={3} title="Nothing was sent">
            The execution ended before a request left the portal. The reason is above.
          </EmptyState>
        )}
        {earlier.length > 0 && (
          <>
            <h3>Earlier attempts</h3>
            {execution.attemptCount > execution.attempts.length && (
              <p>
                <small>Of {formatCount(execution.attemptCount)} tries, the first and the last nine are stored.</small>
              </p>
            )}
            {earlier.map((attempt) => (
              <Disclosure
                key={attempt.number}
                look="framed"
                summary={
                  <>
                    Attempt {attempt.number} <VerdictBadge status={attempt.verdict} />{" "}
                    {attempt.cause?.detail ?? `Status ${attempt.response?.status ?? "unknown"}`}
                    {`, ${formatMilliseconds(attempt.durationMilliseconds)}`}
                  </>
                }
              >
                <AttemptView attempt={attempt} params={location} traceLink={traceLink} />
              </Disclosure>
            ))}
          </>
        )}
      </Stack>
    </section>
  );
}
