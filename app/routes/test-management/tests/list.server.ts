import { type Verdict, verdicts } from "#contracts/test-executioner/verdicts.ts";
import { testSorts } from "#contracts/test-registry/tests.ts";
import { available, required } from "~/backend/responses";
import { summarizeApis } from "~/features/recoveries/recovering-tests.server";
import { listMissingValues } from "~/features/runs/missing-values";
import type { Viewer } from "~/session/guards";

export interface TestFilters {
  query?: string;
  method?: string;
  tag?: string;
  enabled?: "true" | "false";
  safe?: "true" | "false";
  verdict?: Verdict;
  sort: (typeof testSorts)[number];
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
    sort: testSorts.find((sort) => sort === search.get("sort")) ?? "name",
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

/** One page of an API's tests with their last verdicts. Filtered by verdict, the newest come first. */
export async function listTestsWithLatest({ backend }: Viewer, apiId: string, filters: TestFilters) {
  const { verdict, cursor, ...named } = filters;
  const { apiRegistry, testExecutioner, testRegistry } = backend;
  const latestPage = verdict
    ? required(
        await testExecutioner.listLatestOfApi({ params: { apiId }, query: { verdict, cursor, limit: testsOnPage } }),
      )
    : undefined;
  const ids = latestPage?.items.map(({ testId }) => testId);
  const [page, summaries, values] = await Promise.all([
    ids?.length === 0
      ? { items: [], nextCursor: null, total: undefined }
      : testRegistry
          .listTests({
            params: { apiId },
            query: { ...named, ids: ids?.join(","), cursor: verdict ? undefined : cursor, limit: testsOnPage },
          })
          .then(required),
    summarizeApis(backend, apiId),
    apiRegistry.getVariables({ params: { apiId } }).then(available),
  ]);
  const testIds = page.items.map(({ id }) => id).join(",");
  const [latest, notices] = testIds
    ? await Promise.all([
        testExecutioner.listLatestExecutions({ query: { testIds, recent: verdictsInStrip } }).then(available),
        testExecutioner.listTestNotices({ query: { testIds } }).then(available),
      ])
    : [];
  return {
    nextCursor: latestPage ? latestPage.nextCursor : page.nextCursor,
    total: latestPage ? undefined : page.total,
    lastRuns: summaries?.[0],
    tests: page.items.map((test) => {
      const { id, name, method, path, enabled, tags } = test;
      const last = latest?.items.find(({ testId }) => testId === id);
      const needs = values ? listMissingValues(test, Object.keys(values.variables)) : [];
      const reason = last?.recent?.find(({ executionId }) => executionId === last.executionId)?.reason;
      const cannotFail = notices?.items.find(({ testId }) => testId === id)?.cannotFail ?? false;
      return { id, name, method, path, enabled, tags, last, reason, needs, cannotFail };
    }),
  };
}

export type ListedTest = Awaited<ReturnType<typeof listTestsWithLatest>>["tests"][number];
