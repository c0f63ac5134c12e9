import type { ApiExecutionSummary } from "#contracts/test-executioner/latest-executions.ts";
import { VerdictCount } from "~/features/verdict/verdict-count";
import { href } from "~/href";
import { Row } from "~/ui/layout/layout";

export interface LastVerdictsProps {
  apiId: string;
  /** Null: nothing has run; undefined: unknown. */
  counts: Pick<ApiExecutionSummary, "passed" | "failed" | "errored" | "flaky" | "unfinished"> | null | undefined;
}

/** The last verdicts of an API's tests, counted, each linked to those tests; verdicts without tests are left out. */
export function LastVerdicts({ apiId, counts }: LastVerdictsProps) {
  if (!counts) return counts === null ? "Not run" : "unknown";
  const { passed, failed, errored, flaky, unfinished } = counts;
  const verdictList = (
    [
      ["failed", failed],
      ["errored", errored],
      ["flaky", flaky],
      ["passed", passed],
      ["running", unfinished],
    ] as const
  ).filter(([, count]) => count > 0);
  if (verdictList.length === 0) return "Not run";
  return (
    <Row gap="tiny">
      {verdictList.map(([status, count]) => (
        <a
          key={status}
          href={
            status === "running"
              ? href("/test-management/:apiId/runs", { apiId })
              : href("/test-management/:apiId/tests", { apiId }, { verdict: status })
          }
        >
          <VerdictCount status={status} count={count} />
        </a>
      ))}
    </Row>
  );
}
