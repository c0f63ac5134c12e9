import type { ApiExecutions } from "~/features/recoveries/recovering-tests.server";
import { LastVerdicts } from "~/features/verdict/last-verdicts";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Notice } from "~/ui/notice/notice";

/** The last verdicts of the API's tests; during a run, a link to it. */
export function LastRuns({ apiId, counts }: { apiId: string; counts: ApiExecutions | undefined }) {
  if (!counts) return null;
  const { unfinished } = counts;
  if (unfinished === 0) return <LastVerdicts apiId={apiId} counts={counts} />;
  return (
    <Notice
      icon="clock"
      title={`${plural(unfinished, "test")} ${unfinished === 1 ? "is" : "are"} running`}
      actions={
        <LinkButton href={href("/test-management/:apiId/runs", { apiId })} size="small">
          Follow them
        </LinkButton>
      }
    >
      <LastVerdicts apiId={apiId} counts={counts} />
    </Notice>
  );
}
