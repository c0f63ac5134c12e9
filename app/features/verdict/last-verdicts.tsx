import type { ApiExecutions } from "~/features/recoveries/recovering-tests.server";
import { VerdictCount } from "~/features/verdict/verdict-count";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { Row } from "~/ui/layout/layout";

export interface LastVerdictsProps {
  apiId: string;
  /** Null: nothing has run; undefined: unknown. */
  counts: ApiExecutions | null | undefined;
}

/** The last verdicts of an API's tests, counted, each linked to those tests; verdicts without tests are left out. */
export function LastVerdicts({ apiId, counts }: LastVerdictsProps) {
  if (!counts) return counts === null ? "Not run" : "unknown";
  const { passed, failed, errored, regional, flaky, unfinished, recovering } = counts;
  const verdictList = (
    [
      ["failed", failed],
      ["errored", errored],
      ["regional", regional],
      ["flaky", flaky],
      ["passed", passed],
      ["running", unfinished],
    ] as const
  ).filter(([, count]) => count > 0);
  if (verdictList.length + recovering.length === 0) return "Not run";
  return (
    <Row gap="tiny">
      {recovering.length > 0 && (
        <a href={href("/test-management/incidents", { apiId })}>
          <Badge tone="warning" icon="clock">
            {formatCount(recovering.length)} recovering
          </Badge>
        </a>
      )}
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
