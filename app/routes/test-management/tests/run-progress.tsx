import { href } from "~/href";
import { Island } from "~/islands/island";
import { LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { Progress } from "~/ui/progress/progress";
import { LastVerdicts } from "~/verdict/last-verdicts";
import type { ApiExecutionSummary } from "../../../../services/test-executioner/contract/executions.ts";

export interface RunProgressProps {
  apiId: string;
  counts: ApiExecutionSummary | undefined;
  refreshHref: string;
}

/** While tests of the API run: how many are left and how to look again; else how the last runs ended. */
export function RunProgress({ apiId, counts, refreshHref }: RunProgressProps) {
  if (!counts) return null;
  if (counts.unfinished === 0) return <LastVerdicts counts={counts} />;
  const eventsHref = href("/test-management/:apiId/executions/events", { apiId });
  return <Island name="run-progress" component={UnderWay} props={{ counts, refreshHref, eventsHref }} />;
}

interface UnderWayProps {
  counts: ApiExecutionSummary;
  refreshHref: string;
  /** Read by the island, which looks again when all is finished. */
  eventsHref: string;
}

function UnderWay({ counts, refreshHref }: UnderWayProps) {
  const finished = counts.passed + counts.failed + counts.errored + counts.flaky;
  const all = finished + counts.unfinished;
  return (
    <Notice
      role="status"
      tone="info"
      icon="clock"
      title={counts.unfinished === 1 ? "1 test is running" : `${counts.unfinished} tests are running`}
      actions={
        <LinkButton href={refreshHref} size="small" icon="refresh">
          Refresh
        </LinkButton>
      }
    >
      <Row gap="medium">
        <Progress
          id="run-progress"
          label="Tests with a verdict"
          value={finished}
          max={all}
          valueText={`${finished.toLocaleString("en")} of ${all.toLocaleString("en")}`}
        />
        <LastVerdicts counts={counts} />
      </Row>
    </Notice>
  );
}
