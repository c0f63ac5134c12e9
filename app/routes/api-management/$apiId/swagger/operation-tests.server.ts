import { available } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import type { Viewer } from "~/session/guards";

const displayedTests = 5;

/** The tests of one operation with their last verdicts; undefined for viewers who may not see them, or while the service is away. */
export async function findOperationTests(viewer: Viewer, apiId: string, { method, path }: OperationKey) {
  if (!viewer.may("tests:read")) return undefined;
  const { testExecutioner, testRegistry } = viewer.backend;
  const page = available(
    await testRegistry.listTests({ params: { apiId }, query: { method, path, limit: displayedTests } }),
  );
  if (!page) return undefined;
  const testIds = page.items.map(({ id }) => id).join(",");
  const latest = testIds
    ? available(await testExecutioner.listLatestExecutions({ query: { testIds } }))?.items
    : undefined;
  return {
    total: page.total ?? page.items.length,
    items: page.items.map(({ id, name }) => ({ id, name, last: latest?.find(({ testId }) => testId === id) })),
  };
}

export type TestsOfOperation = NonNullable<Awaited<ReturnType<typeof findOperationTests>>>;
