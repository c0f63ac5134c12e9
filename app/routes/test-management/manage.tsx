import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ApiNotices } from "#contracts/test-executioner/notices.ts";
import { available, required } from "~/backend/responses";
import { OpenIncidents } from "~/features/incidents/open-incidents";
import { findOpenIncidents } from "~/features/incidents/open-incidents.server";
import type { OperationKey } from "~/features/operation/operation-key";
import { PlanQuotas } from "~/features/plans/plan-quota";
import { findQuotas } from "~/features/plans/plan-quota.server";
import { summarizeApis } from "~/features/recoveries/recovering-tests.server";
import { TrendCard } from "~/features/trends/trend-card";
import { trendQuery } from "~/features/trends/trend-query";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { AssuranceMatrix } from "./assurance-matrix";
import { findLackingValues } from "./lacking-values.server";
import { LastRuns } from "./last-runs";
import { NoticedChanges } from "./noticed-changes";

export const meta: MetaFunction = ({ matches }) => [{ title: `${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim().slice(0, 200) || undefined;
  const tag = search.get("tag") || undefined;
  const cursor = search.get("cursor") || undefined;
  const { apiRegistry, testAnalyzer, testExecutioner, testRegistry } = viewer.backend;
  const isFirstLook = !query && !tag && !cursor;
  const [api, operationTags, coverage, counts, summaries, notices, trends, incidents, quotas] = await Promise.all([
    apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    apiRegistry.listOperationTags({ params: { apiId } }).then(required),
    testAnalyzer.getCoverage({ params: { apiId }, query: { query, tag, cursor } }).then(required),
    testRegistry.countTests({ query: { apiId } }).then(available),
    summarizeApis(viewer.backend, apiId),
    testExecutioner.summarizeNotices({ params: { apiId } }).then(available),
    isFirstLook
      ? testAnalyzer.getTrends({ query: { apiId, ...trendQuery(request, viewer.session) } }).then(available)
      : undefined,
    isFirstLook ? findOpenIncidents(viewer, request, { apiId }) : undefined,
    findQuotas(viewer, [
      ...(viewer.may("tests:write") ? (["tests"] as const) : []),
      ...(viewer.may("tests:run") ? (["executionsPerMonth"] as const) : []),
    ]),
  ]);
  const getLacking = await findLackingValues(
    viewer,
    apiId,
    coverage.items.map(({ operation }) => operation),
  );
  return {
    apiId,
    operationCount: api.operationCount,
    tags: operationTags.items.map(({ name }) => name),
    rows: coverage.items.map((row) => ({
      ...row,
      testCount: counts && getTestCount(counts.byOperation, row.operation),
      noticed: notices?.operations.find((one) => isSame(one, row.operation)),
      lacking: getLacking(row.operation),
    })),
    nextCursor: coverage.nextCursor,
    untestedCount: isFirstLook && counts ? Math.max(0, api.operationCount - counts.byOperation.length) : 0,
    onLaterPage: Boolean(cursor),
    lastRuns: summaries?.[0],
    notices: notices && toTotals(notices),
    trends,
    incidents,
    quotas,
    address: request.url,
    query,
    tag,
    mayWrite: viewer.may("tests:write"),
  };
}

const isSame = (one: OperationKey, other: OperationKey) => one.method === other.method && one.path === other.path;

function toTotals({ operations: _, ...totals }: ApiNotices) {
  return totals;
}

function getTestCount(counts: (OperationKey & { total: number })[], { method, path }: OperationKey): number {
  return counts.find((count) => count.method === method && count.path === path)?.total ?? 0;
}

function Untested({ apiId, count, of }: { apiId: string; count: number; of: number }) {
  if (count === 0) return null;
  const all = count === of;
  return (
    <Notice
      tone="info"
      title={
        all ? "No operations have tests yet" : `${plural(count, "operation")} of ${formatCount(of)} without a test`
      }
      actions={
        <LinkButton
          href={href("/test-management/:apiId/tests/make", { apiId })}
          icon="plus"
          variant={all ? "primary" : "secondary"}
        >
          Generate tests
        </LinkButton>
      }
    />
  );
}

export default function Manage() {
  const displayed = useLoaderData<typeof loader>();
  const { apiId, rows, trends, incidents, address, query, tag, tags, nextCursor, onLaterPage } = displayed;
  const filtered = Boolean(query || tag);
  return (
    <>
      <PageHeading
        title="Overview"
        description={`${plural(displayed.operationCount, "operation")}. Each documented response with the last verdict of a test that got it.`}
      />
      <PlanQuotas quotas={displayed.quotas} />
      <LastRuns apiId={apiId} counts={displayed.lastRuns} />
      <NoticedChanges notices={displayed.notices} />
      {incidents && (
        <OpenIncidents
          found={incidents}
          actions={<a href={href("/test-management/:apiId/alert-rules", { apiId })}>Alert rule</a>}
        />
      )}
      {trends && displayed.lastRuns?.lastFinishedAt && (
        <TrendCard trends={trends} of={{ apiId }} address={address} alive={islandAttributes("plots")} />
      )}
      {displayed.mayWrite && <Untested {...{ apiId }} count={displayed.untestedCount} of={displayed.operationCount} />}
      {displayed.operationCount === 0 ? (
        <EmptyState
          title="This document has no operations"
          action={<LinkButton href={href("/api-management/:apiId/details", { apiId })}>See the API</LinkButton>}
        >
          Tests are generated for operations. Import a version of the document that has some.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter operations"
            search={{ label: "Search by path or summary", defaultValue: query }}
            resetHref={filtered ? listAddress(address, { query: undefined, tag: undefined }) : undefined}
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
          {rows.length > 0 ? (
            <AssuranceMatrix apiId={apiId} rows={rows} mayWrite={displayed.mayWrite} />
          ) : (
            <EmptyState title="No matching operations">Try fewer or other words.</EmptyState>
          )}
          <CursorPages label="Pages of operations" {...{ address, nextCursor }} cursor={onLaterPage} />
        </>
      )}
    </>
  );
}
