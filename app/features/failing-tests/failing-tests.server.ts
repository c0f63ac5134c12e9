import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { FailingTest } from "#contracts/test-executioner/failing-tests.ts";
import { available } from "~/backend/answers";
import type { Backend } from "~/backend/backend";

/** A test that fails now, with the name of its API where that is known. */
export interface NamedFailingTest extends FailingTest {
  apiName: string | undefined;
}

/** Of APIs that a page has not asked for anyway. */
export async function findApisById({ apiRegistry }: Backend, apiIds: readonly string[]): Promise<ApiSummary[]> {
  if (apiIds.length === 0) return [];
  const ids = [...new Set(apiIds)];
  const page = available(await apiRegistry.listApis({ query: { ids: ids.join(","), limit: ids.length } }));
  return page?.items ?? [];
}

export function nameApis(tests: readonly FailingTest[], apis: readonly ApiSummary[]): NamedFailingTest[] {
  const names = new Map(apis.map(({ id, name }) => [id, name]));
  return tests.map((test) => ({ ...test, apiName: names.get(test.apiId) }));
}
