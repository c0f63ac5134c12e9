import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import { required } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import type { Viewer } from "~/session/guards";
import { operationValue } from "./making";

/** The suggested test of each operation, by its value in forms. */
export async function suggestFor(
  { backend }: Viewer,
  apiId: string,
  operations: OperationKey[],
): Promise<Map<string, Suggestion>> {
  if (operations.length === 0) return new Map();
  const wanted = operations.map(({ method, path }) => ({ method, path }));
  const result = await backend.testAnalyzer.suggestTests({ params: { apiId }, body: { operations: wanted } });
  return new Map(required(result).items.map((suggestion) => [operationValue(suggestion.test), suggestion]));
}
