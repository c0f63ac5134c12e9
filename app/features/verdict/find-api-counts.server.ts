import type { ApiExecutionSummary } from "#contracts/test-executioner/latest-executions.ts";
import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

/** The status of an API's tests. Unknown values are undefined. */
export interface ApiCounts {
  testCount: number | undefined;
  /** Null: none of them has run. */
  executions: ApiExecutionSummary | null | undefined;
}

/** For a page of APIs: two calls, however many there are. */
export async function findApiCounts(
  { testRegistry, testExecutioner }: Backend,
  apis: readonly { id: string }[],
): Promise<(api: { id: string }) => ApiCounts> {
  const apiIds = apis.map(({ id }) => id).join(",");
  if (!apiIds) return () => ({ testCount: 0, executions: null });
  const [counts, summaries] = await Promise.all([
    testRegistry.countTests({ query: { apiIds } }).then(available),
    testExecutioner.summarizeApis({ query: { apiIds } }).then(available),
  ]);
  return ({ id }) => ({
    testCount: counts && (counts.byApi.find(({ apiId }) => apiId === id)?.total ?? 0),
    executions: summaries && (summaries.items.find(({ apiId }) => apiId === id) ?? null),
  });
}
