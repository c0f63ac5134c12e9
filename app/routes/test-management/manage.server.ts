import type { ApiNotices } from "#contracts/test-executioner/notices.ts";
import { available, required } from "~/backend/responses";
import { findOpenIncidents } from "~/features/incidents/open-incidents.server";
import type { OperationKey } from "~/features/operation/operation-key";
import { findQuotas } from "~/features/plans/plan-quota.server";
import { summarizeApis } from "~/features/recoveries/recovering-tests.server";
import { countLackingValues, listGivenNames } from "~/features/runs/lacking-values.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { trendQuery } from "~/features/trends/trend-query";
import type { Viewer } from "~/session/guards";

const maxReasons = 3;

/** One page of operations; the first unfiltered page includes state, failures and trends. */
export async function loadOverview(viewer: Viewer, request: Request, apiId: string) {
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim().slice(0, 200) || undefined;
  const tag = search.get("tag") || undefined;
  const cursor = search.get("cursor") || undefined;
  const isFirstLook = !query && !tag && !cursor;
  const { apiRegistry, testAnalyzer, testExecutioner, testRegistry } = viewer.backend;
  const [api, operationTags, coverage, counts, summaries, notices, first, quotas] = await Promise.all([
    apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    apiRegistry.listOperationTags({ params: { apiId } }).then(required),
    testAnalyzer.getCoverage({ params: { apiId }, query: { query, tag, cursor } }).then(required),
    testRegistry.countTests({ query: { apiId } }).then(available),
    summarizeApis(viewer.backend, apiId),
    testExecutioner.summarizeNotices({ params: { apiId } }).then(available),
    isFirstLook ? loadFirstLook(viewer, request, apiId) : undefined,
    findQuotas(viewer, [
      ...(viewer.may("tests:write") ? (["tests"] as const) : []),
      ...(viewer.may("tests:run") ? (["executionsPerMonth"] as const) : []),
    ]),
  ]);
  return {
    apiId,
    operationCount: api.operationCount,
    tags: operationTags.items.map(({ name }) => name),
    rows: coverage.items.map((row) => ({
      ...row,
      testCount: counts && getTestCount(counts.byOperation, row.operation),
      noticed: notices?.operations.find((one) => isSame(one, row.operation)),
    })),
    nextCursor: coverage.nextCursor,
    untestedCount: isFirstLook && counts ? Math.max(0, api.operationCount - counts.byOperation.length) : 0,
    onLaterPage: Boolean(cursor),
    lastRuns: summaries?.[0],
    notices: notices && toTotals(notices),
    first,
    quotas,
    address: request.url,
    query,
    tag,
    mayWrite: viewer.may("tests:write"),
    mayRun: viewer.may("tests:run"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

async function loadFirstLook(viewer: Viewer, request: Request, apiId: string) {
  const { testAnalyzer, testExecutioner } = viewer.backend;
  const [trends, incidents, failing, lacking] = await Promise.all([
    testAnalyzer.getTrends({ query: { apiId, ...trendQuery(request, viewer.session) } }).then(available),
    findOpenIncidents(viewer, { apiId }),
    testExecutioner.listFailingTests({ query: { apiId, limit: maxReasons } }).then(available),
    listGivenNames(viewer, apiId).then((given) => countLackingValues(viewer, apiId, given)),
  ]);
  return { trends, incidents, failing: failing?.items ?? [], lacking };
}

const isSame = (one: OperationKey, other: OperationKey) => one.method === other.method && one.path === other.path;

function toTotals({ operations: _, ...totals }: ApiNotices) {
  return totals;
}

function getTestCount(counts: (OperationKey & { total: number })[], { method, path }: OperationKey): number {
  return counts.find((count) => count.method === method && count.path === path)?.total ?? 0;
}
