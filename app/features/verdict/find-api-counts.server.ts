import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";
import { type ApiExecutions, summarizeApis } from "~/features/recoveries/recovering-tests.server";

/** The status of an API's tests. Unknown values are undefined. */
export interface ApiCounts {
  testCount: number | undefined;
  /** Null: none of them has run. */
  executions: ApiExecutions | null | undefined;
}

/** For a page of APIs: three calls, one more where tests recover, however many there are. */
export async function findApiCounts(
  backend: Backend,
  apis: readonly { id: string }[],
): Promise<(api: { id: string }) => ApiCounts> {
  const apiIds = apis.map(({ id }) => id).join(",");
  if (!apiIds) return () => ({ testCount: 0, executions: null });
  const [counts, summaries] = await Promise.all([
    backend.testRegistry.countTests({ query: { apiIds } }).then(available),
    summarizeApis(backend, apiIds),
  ]);
  return ({ id }) => ({
    testCount: counts && (counts.byApi.find(({ apiId }) => apiId === id)?.total ?? 0),
    executions: summaries && (summaries.find(({ apiId }) => apiId === id) ?? null),
  });
}
