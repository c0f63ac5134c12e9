import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Consumer, OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import { listMissing, type PlanInput, toKey } from "./known.ts";
import { listMethods } from "./plan-refusals.ts";

/** Operations that one plan may look at: its own, and what those need. */
export const maxGatheredOperations = 1_200;
const perCall = 100;

/** Reads parts of one document, for 100 operations at most per call. */
export interface DocumentParts {
  /** Operations that the document does not have are left out. */
  findOperations(
    operations: OperationKey[],
  ): Promise<{ items: OperationWithComponents[]; sendsHostCredentials?: boolean | undefined }>;
  findDependencies(operations: OperationKey[]): Promise<{ resources: Resource[]; consumers: Consumer[] }>;
}

/** What a plan for these operations needs: them, their resources and what those need in turn. */
export async function gatherPlanInput(wanted: readonly OperationKey[], parts: DocumentParts): Promise<PlanInput> {
  const operations = new Map<string, OperationWithComponents>();
  const resources = new Map<string, Resource>();
  const consumers = new Map<string, Consumer>();
  const asked = new Set<string>();
  let sendsHostCredentials: boolean | undefined;
  const toInput = (): PlanInput => ({
    wanted,
    operations: [...operations.values()],
    resources: [...resources.values()],
    consumers: [...consumers.values()],
    sendsHostCredentials,
  });
  let missing: readonly OperationKey[] = wanted;
  while (missing.length > 0 && asked.size < maxGatheredOperations) {
    for (let from = 0; from < missing.length; from += perCall) {
      const some = missing.slice(from, from + perCall);
      const [found, dependencies] = await Promise.all([parts.findOperations(some), parts.findDependencies(some)]);
      sendsHostCredentials = found.sendsHostCredentials;
      for (const one of some) asked.add(toKey(one));
      for (const item of found.items) operations.set(toKey(item.operation), item);
      for (const resource of dependencies.resources) resources.set(resource.key, resource);
      for (const one of dependencies.consumers) {
        consumers.set(JSON.stringify([one.operation.method, one.operation.path, one.in, one.name]), one);
      }
    }
    missing = listMissing(toInput()).filter((one) => !asked.has(toKey(one)));
  }
  return { ...toInput(), undocumented: await findUndocumented(resources.values(), operations, parts) };
}

/** Of the methods that each resource's path may lack. */
async function findUndocumented(
  resources: Iterable<Resource>,
  operations: ReadonlyMap<string, OperationWithComponents>,
  { findOperations }: DocumentParts,
): Promise<OperationKey[]> {
  const all = [...resources].flatMap(listMethods).filter((one) => !operations.has(toKey(one)));
  const possible = [...new Map(all.map((one) => [toKey(one), one])).values()].slice(0, maxGatheredOperations);
  const documented = new Set<string>();
  for (let from = 0; from < possible.length; from += perCall) {
    const { items } = await findOperations(possible.slice(from, from + perCall));
    for (const { operation } of items) documented.add(toKey(operation));
  }
  return possible.filter((one) => !documented.has(toKey(one)));
}
