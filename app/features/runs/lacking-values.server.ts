import { available } from "~/backend/responses";
import { findGivenValues, listNames } from "~/features/runs/given-values.server";
import type { Viewer } from "~/session/guards";

/** Numbers of operations and tests of an API with undefined variables, and the first names. */
export interface LackingTotal {
  operations: number;
  tests: number;
  names: string[];
}

/** Names of the variables that a run of the API starts with. */
export async function listGivenNames(viewer: Viewer, apiId: string): Promise<string[]> {
  return [...listNames(await findGivenValues(viewer, apiId))];
}

/** Undefined while the service is unavailable. */
export async function countLackingValues(
  { backend }: Viewer,
  apiId: string,
  given: string[],
): Promise<LackingTotal | undefined> {
  return available(await backend.testRegistry.countLackingTests({ params: { apiId }, body: { given } }))?.total;
}

/** The undefined variables of one of these tests. */
export async function findLackingValues(
  { backend }: Viewer,
  apiId: string,
  testIds: readonly string[],
  given: string[],
): Promise<(testId: string) => string[]> {
  const body = { testIds: [...testIds], given };
  const found = available(await backend.testRegistry.listLackingValues({ params: { apiId }, body }));
  return (testId) => found?.items.find((item) => item.testId === testId)?.names ?? [];
}
