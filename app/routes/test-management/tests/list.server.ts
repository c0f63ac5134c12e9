import { available, required } from "~/backend/answers";
import type { Viewer } from "~/session/guards";
import { testSorts } from "../../../../services/test-registry/contract/tests.ts";

export interface TestFilters {
  query?: string;
  method?: string;
  tag?: string;
  enabled?: "true" | "false";
  sort: (typeof testSorts)[number];
  cursor?: string;
}

/** Filters as the address says them; what makes no sense is left out. */
export function filtersOf(search: URLSearchParams): TestFilters {
  const text = (name: string) => search.get(name)?.trim().slice(0, 200) || undefined;
  const enabled = search.get("enabled");
  return {
    query: text("query"),
    method: text("method"),
    tag: text("tag"),
    enabled: enabled === "true" || enabled === "false" ? enabled : undefined,
    sort: testSorts.find((sort) => sort === search.get("sort")) ?? "name",
    cursor: search.get("cursor") || undefined,
  };
}

/** One page of an API's tests, each with how its last execution stands. */
export async function listTestsWithLatest({ backend }: Viewer, apiId: string, filters: TestFilters) {
  const [page, summaries] = await Promise.all([
    backend.testRegistry.listTests({ params: { apiId }, query: { ...filters } }).then(required),
    backend.testExecutioner.summarizeApis({ query: { apiIds: apiId } }).then(available),
  ]);
  const testIds = page.items.map(({ id }) => id).join(",");
  const latest = testIds
    ? available(await backend.testExecutioner.listLatestExecutions({ query: { testIds } }))
    : undefined;
  return {
    nextCursor: page.nextCursor,
    total: page.total,
    lastRuns: summaries?.items.find((summary) => summary.apiId === apiId),
    tests: page.items.map(({ id, name, method, path, enabled, tags }) => {
      const last = latest?.items.find(({ testId }) => testId === id);
      return { id, name, method, path, enabled, tags, last };
    }),
  };
}

export type ListedTest = Awaited<ReturnType<typeof listTestsWithLatest>>["tests"][number];
