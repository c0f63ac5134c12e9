import { latestSorts } from "#contracts/test-executioner/latest-executions.ts";
import { type Verdict, verdicts } from "#contracts/test-executioner/verdicts.ts";
import { testSorts } from "#contracts/test-registry/tests.ts";
import { available, required } from "~/backend/responses";
import { summarizeApis } from "~/features/recoveries/recovering-tests.server";
import { countLackingValues, findLackingValues, listGivenNames } from "~/features/runs/lacking-values.server";
import type { Viewer } from "~/session/guards";

const sorts = [...testSorts, ...latestSorts] as const;
export type TestSort = (typeof sorts)[number];

export interface TestFilters {
  query?: string;
  method?: string;
  tag?: string;
  enabled?: "true" | "false";
  safe?: "true" | "false";
  verdict?: Verdict;
  sort: TestSort;
  cursor?: string;
}

/** Filters from the address; invalid ones are ignored. */
export function readFilters(search: URLSearchParams): TestFilters {
  const text = (name: string) => search.get(name)?.trim().slice(0, 200) || undefined;
  const yesOrNo = (name: string) => (["true", "false"] as const).find((known) => known === search.get(name));
  return {
    query: text("query"),
    method: text("method"),
    tag: text("tag"),
    enabled: yesOrNo("enabled"),
    safe: yesOrNo("safe"),
    verdict: verdicts.find((known) => known === search.get("verdict")),
    sort: sorts.find((sort) => sort === search.get("sort")) ?? "name",
    cursor: search.get("cursor") || undefined,
  };
}

/** Proposed tests that wait for a decision. */
export async function countProposals({ backend }: Viewer, apiId: string): Promise<number> {
  const found = await backend.testRegistry.listTestProposals({ params: { apiId }, query: { limit: 1 } });
  return available(found)?.total ?? 0;
}

const testsOnPage = 25;
const verdictsInStrip = 10;

/** Set for sorts that only test-executioner supports. */
function sortOfLatest({ sort, verdict }: TestFilters) {
  const sorted = latestSorts.find((known) => known === sort);
  return sorted ?? (verdict ? "-lastRun" : undefined);
}

/**
 * One page of an API's tests with their last verdicts. Filtered by verdict, the newest come first. By verdict or last run,
 * tests that have not run are not listed.
 */
export async function listTestsWithLatest(viewer: Viewer, apiId: string, filters: TestFilters) {
  const { backend } = viewer;
  const { verdict, cursor, sort, ...named } = filters;
  const { testExecutioner, testRegistry } = backend;
  const latestSort = sortOfLatest(filters);
  const latestPage = latestSort
    ? required(
        await testExecutioner.listLatestOfApi({
          params: { apiId },
          query: { verdict, cursor, sort: latestSort, limit: testsOnPage },
        }),
      )
    : undefined;
  const ids = latestPage?.items.map(({ testId }) => testId);
  const [page, summaries, given] = await Promise.all([
    ids?.length === 0
      ? { items: [], nextCursor: null, total: undefined }
      : testRegistry
          .listTests({
            params: { apiId },
            query: {
              ...named,
              ids: ids?.join(","),
              sort: testSorts.find((known) => known === sort),
              cursor: ids ? undefined : cursor,
              limit: testsOnPage,
            },
          })
          .then(required),
    summarizeApis(backend, apiId),
    listGivenNames(viewer, apiId),
  ]);
  const inOrder = ids ? ids.flatMap((id) => page.items.find((test) => test.id === id) ?? []) : page.items;
  const shown = inOrder.map(({ id }) => id);
  const testIds = shown.join(",");
  const [latest, notices, getLacking] = testIds
    ? await Promise.all([
        testExecutioner.listLatestExecutions({ query: { testIds, recent: verdictsInStrip } }).then(available),
        testExecutioner.listTestNotices({ query: { testIds } }).then(available),
        findLackingValues(viewer, apiId, shown, given),
      ])
    : [];
  return {
    nextCursor: latestPage ? latestPage.nextCursor : page.nextCursor,
    total: latestPage ? undefined : page.total,
    lastRuns: summaries?.[0],
    lacking: testIds ? await countLackingValues(viewer, apiId, given) : undefined,
    /** In this order, tests without a verdict are left out. */
    hasRunOnly: latestPage !== undefined && !verdict,
    tests: inOrder.map((test) => {
      const { id, name, method, path, enabled, tags } = test;
      const last = latest?.items.find(({ testId }) => testId === id);
      const needs = getLacking?.(id) ?? [];
      const reason = last?.recent?.find(({ executionId }) => executionId === last.executionId)?.reason;
      const cannotFail = notices?.items.find(({ testId }) => testId === id)?.cannotFail ?? false;
      return { id, name, method, path, enabled, tags, last, reason, needs, cannotFail };
    }),
  };
}

export type ListedTest = Awaited<ReturnType<typeof listTestsWithLatest>>["tests"][number];
