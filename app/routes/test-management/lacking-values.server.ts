import { available } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import { findGivenValues, mergeValues } from "~/features/runs/given-values.server";
import type { Viewer } from "~/session/guards";

/** Number of an operation's tests with missing variables, and the variables' names. */
export interface Lacking {
  total: number;
  names: string[];
}

export async function findLackingValues(
  viewer: Viewer,
  apiId: string,
  operations: readonly OperationKey[],
): Promise<(operation: OperationKey) => Lacking | undefined> {
  const given = Object.keys(mergeValues(await findGivenValues(viewer, apiId)));
  const body = { operations: operations.map(({ method, path }) => ({ method, path })), given };
  const found = available(await viewer.backend.testRegistry.countLackingTests({ params: { apiId }, body }));
  return ({ method, path }) => found?.items.find((item) => item.path === path && item.method === method.toLowerCase());
}
