import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FailingList } from "~/features/failing-tests/failing-list";
import { OpenIncidents } from "~/features/incidents/open-incidents";
import { PlanQuotas } from "~/features/plans/plan-quota";
import { LackingNotice } from "~/features/runs/lacks-values";
import { TrendCard } from "~/features/trends/trend-card";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { ApiState } from "./api-state";
import { AssuranceMatrix } from "./assurance-matrix";
import * as styles from "./assurance-matrix.css";
import { loadOverview } from "./manage.server";
import { NoticedChanges } from "./noticed-changes";

export const meta: MetaFunction = ({ matches }) => [{ title: `${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return await loadOverview(await requireViewer(request, context), request, params.apiId!);
}

type Displayed = ReturnType<typeof useLoaderData<typeof loader>>;

export default function Manage() {
  const displayed = useLoaderData<typeof loader>();
  const { apiId, first, lastRuns } = displayed;
  return (
    <>
      <PageHeading
        title="Overview"
        actions={<a href={href("/test-management/:apiId/alert-rules", { apiId })}>Alert rule</a>}
      />
      <PlanQuotas quotas={displayed.quotas} />
      <ApiState apiId={apiId} counts={lastRuns} now={displayed.now} />
      <Reasons {...displayed} />
      <LackingNotice apiId={apiId} total={first?.lacking} mayWrite={displayed.mayWrite} />
      {displayed.mayWrite && <Untested {...{ apiId }} count={displayed.untestedCount} of={displayed.operationCount} />}
      <Operations {...displayed} />
      <NoticedChanges notices={displayed.notices} />
      {first?.trends && lastRuns?.lastFinishedAt && (
        <TrendCard trends={first.trends} of={{ apiId }} address={displayed.address} alive={islandAttributes("plots")} />
      )}
    </>
  );
}

/** Why tests fail: the open incidents, or without any the failing tests. */
function Reasons({ apiId, first, lastRuns, mayRun, runKey, now }: Displayed) {
  const { incidents, failing = [] } = first ?? {};
  if (incidents && incidents.total > 0) return <OpenIncidents found={incidents} />;
  const total = lastRuns ? lastRuns.failed + lastRuns.errored : 0;
  if (total === 0 || failing.length === 0) return null;
  return (
    <Card
      title="Failing now"
      flush
      footer={
        total > failing.length && (
          <a href={href("/test-management/:apiId/tests", { apiId }, { sort: "verdict" })}>
            All {plural(total, "failing test")}
          </a>
        )
      }
    >
      <FailingList tests={failing.map((test) => ({ ...test, apiName: undefined }))} {...{ mayRun, runKey, now }} />
    </Card>
  );
}

function Untested({ apiId, count, of }: { apiId: string; count: number; of: number }) {
  if (count === 0) return null;
  const all = count === of;
  return (
    <Notice
      tone="info"
      title={
        all
          ? "No operations have tests yet"
          : `${formatCount(count)} of ${plural(of, "operation")} ${count === 1 ? "has" : "have"} no tests`
      }
      actions={
        <LinkButton
          href={href("/test-management/:apiId/tests/make", { apiId })}
          icon="plus"
          size={all ? "medium" : "small"}
          variant={all ? "primary" : "secondary"}
        >
          Generate tests
        </LinkButton>
      }
    />
  );
}

/** The operations with their documented responses, and the filters for them. */
function Operations({ apiId, operationCount, rows, tags, query, tag, address, ...displayed }: Displayed) {
  if (operationCount === 0) {
    return (
      <EmptyState
        title="This document has no operations"
        action={<LinkButton href={href("/api-management/:apiId/details", { apiId })}>See the API</LinkButton>}
      >
        Tests are generated for operations. Import a version of the document that has some.
      </EmptyState>
    );
  }
  const reset = listAddress(address, { query: undefined, tag: undefined });
  return (
    <>
      <Card
        title="Operations"
        description={`${plural(operationCount, "operation")}. The latest result for each documented response.`}
        flush
      >
        <div className={styles.filters}>
          <FilterBar
            label="Filter operations"
            search={{ label: "Search by path or summary", defaultValue: query }}
            resetHref={query || tag ? reset : undefined}
          >
            {tags.length > 0 && (
              <Select
                label="Tag"
                labelHidden
                name="tag"
                defaultValue={tag}
                placeholder="Any tag"
                options={tags.map((name) => ({ value: name, label: name }))}
              />
            )}
          </FilterBar>
        </div>
        {rows.length > 0 ? (
          <AssuranceMatrix apiId={apiId} rows={rows} tags={tags} mayWrite={displayed.mayWrite} />
        ) : (
          <EmptyState title="No matching operations">Try fewer or other words.</EmptyState>
        )}
      </Card>
      <CursorPages
        label="Pages of operations"
        {...{ address }}
        nextCursor={displayed.nextCursor}
        cursor={displayed.onLaterPage}
      />
    </>
  );
}
