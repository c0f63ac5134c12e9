import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { CircleDraft, type PlanParts } from "./circle-draft.ts";
import { toKey } from "./known.ts";
import { refuse } from "./plan-life.ts";
import type { Draft } from "./planned-tests.ts";
import { withArticle } from "./words.ts";

/** Reads of a resource that no operation makes: the list, one of it, and what belongs to it. */
export function planReads(resource: Resource, operations: readonly OperationKey[], parts: PlanParts): CircleDraft {
  const { supplies, tests } = parts;
  const { read, list } = resource.operations;
  const circle = new CircleDraft(parts);
  const supply = supplies.find(resource);
  const others = operations.filter((one) => list === undefined || toKey(one) !== toKey(list));
  if (list) {
    // Without an identifier the rest is of no use: a set-up that fails leaves it out.
    if (supply?.kind === "take" && toKey(supply.operation) === toKey(list)) circle.take(supply, "list");
    else add(tests.call(list), list, "list");
  }
  for (const operation of others) {
    const isRead = read !== undefined && toKey(operation) === toKey(read);
    if (!isSafe(operation.method)) {
      circle.omit(operation, `It would change ${withArticle(resource.name)} that the run did not create.`);
    } else if (isRead) add(tests.read(resource, operation), operation, "read");
    else add(tests.call(operation), operation, "call");
  }
  // What nothing gives, such as a date, may be anything.
  const unknown = read && supply ? tests.findUnknown(resource, read) : undefined;
  if (unknown && unknown.asks.length === 0) circle.add("findUnknown", unknown);
  return circle;

  function add(draft: Draft | undefined, operation: OperationKey, does: "list" | "read" | "call"): void {
    const refusal = draft ? refuse(draft, resource, parts) : "The document does not describe it.";
    if (draft && refusal === undefined) circle.add(does, draft);
    else circle.omit(operation, refusal ?? "");
  }
}
