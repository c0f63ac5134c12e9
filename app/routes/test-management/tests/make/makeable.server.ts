import type { OperationSummary } from "#contracts/api-registry/operations.ts";
import { getMethodEffect, type MethodEffect, methodEffects } from "#libraries/openapi/safe-methods.ts";
import { required } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import { findGivenValues } from "~/features/runs/given-values.server";
import type { Viewer } from "~/session/guards";
import { checksInWords, getGroup, type MakeableOperation, operationValue, readOperation } from "./making";
import { listNeededValues } from "./needed-values.server";
import { suggestFor } from "./suggest-for.server";

/** Page size, and the limit of one call that suggests or creates tests. */
const maxOperations = 100;

export interface MakeFilters {
  query?: string;
  tag?: string;
  effect?: MethodEffect;
  /** Only this one. */
  operation?: OperationKey;
  cursor?: string;
}

/** Filters from the address; invalid ones are ignored. */
export function readMakeFilters(search: URLSearchParams): MakeFilters {
  return {
    query: search.get("query")?.trim().slice(0, 200) || undefined,
    tag: search.get("tag") || undefined,
    effect: methodEffects.find((effect) => effect === search.get("effect")),
    operation: readOperation(search.get("operation") ?? ""),
    cursor: search.get("cursor") || undefined,
  };
}

interface OperationPage {
  items: Omit<OperationSummary, "responseStatuses" | "operationId" | "tags">[];
  nextCursor: string | null;
  total?: number;
}

export async function listWanted({ backend }: Viewer, apiId: string, filters: MakeFilters): Promise<OperationPage> {
  const { operation, ...others } = filters;
  const { apiRegistry } = backend;
  if (!operation) {
    return required(
      await apiRegistry.listOperations({ params: { apiId }, query: { limit: maxOperations, ...others } }),
    );
  }
  const found = required(await apiRegistry.findOperations({ params: { apiId }, body: { operations: [operation] } }));
  return { items: found.items.map((item) => item.operation), nextCursor: null };
}

/** Number of tests of each operation of an API, by its value in forms. */
export async function countTests({ backend }: Viewer, apiId: string): Promise<Map<string, number>> {
  const { byOperation } = required(await backend.testRegistry.countTests({ query: { apiId } }));
  return new Map(byOperation.map((one) => [operationValue(one), one.total]));
}

/** One page of operations, each with the checks of its test. */
export async function listMakeable(viewer: Viewer, apiId: string, filters: MakeFilters) {
  const [page, counts, given] = await Promise.all([
    listWanted(viewer, apiId, filters),
    countTests(viewer, apiId),
    findGivenValues(viewer, apiId),
  ]);
  const suggestions = await suggestFor(viewer, apiId, page.items);
  return {
    nextCursor: page.nextCursor,
    total: page.total ?? page.items.length,
    values: await listNeededValues(viewer, apiId, suggestions, given),
    operations: page.items.map((item): MakeableOperation => {
      const { method, path, summary, deprecated } = item;
      const suggestion = suggestions.get(operationValue(item));
      return {
        ...{ method, path, summary, deprecated },
        group: getGroup(item),
        effect: getMethodEffect(method),
        testCount: counts.get(operationValue(item)) ?? 0,
        checks: suggestion ? checksInWords(suggestion.test) : "",
        needs: suggestion?.values.map(({ name }) => name) ?? [],
        gap: suggestion ? suggestion.gaps[0]?.message : "Nothing could be made from the document",
      };
    }),
  };
}
