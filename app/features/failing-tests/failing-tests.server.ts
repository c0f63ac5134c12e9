import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { RecoveringTest } from "#contracts/test-analyzer/recoveries.ts";
import type { FailingTest } from "#contracts/test-executioner/failing-tests.ts";
import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

/** A test that fails now, with the name of its API if known. */
export interface NamedFailingTest extends FailingTest {
  apiName: string | undefined;
  /** It passed last, but not where it fails. */
  recovering?: RecoveringTest;
}

/** Names of APIs that the page has not loaded already. */
export async function findApisById({ apiRegistry }: Backend, apiIds: readonly string[]): Promise<ApiSummary[]> {
  if (apiIds.length === 0) return [];
  const ids = [...new Set(apiIds)];
  const page = available(await apiRegistry.listApis({ query: { ids: ids.join(","), limit: ids.length } }));
  return page?.items ?? [];
}

/** Recovering tests come last. */
export function nameApis(
  tests: readonly FailingTest[],
  recovering: readonly RecoveringTest[],
  apis: readonly ApiSummary[],
): NamedFailingTest[] {
  const names = new Map(apis.map(({ id, name }) => [id, name]));
  return [
    ...tests.map((test) => ({ ...test, apiName: names.get(test.apiId) })),
    ...recovering.map((test) => ({
      ...{ testId: test.testId, apiId: test.apiId, since: test.since, execution: null },
      ...{ apiName: names.get(test.apiId), recovering: test },
    })),
  ];
}
