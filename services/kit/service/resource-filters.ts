import type { Contract } from "#contracts/kit/endpoint.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import { listResourceFilters, type ResourceFilter, resourceFilters } from "#contracts/kit/resource-filters.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import type { CallResult } from "../client/client.ts";

/** On whose behalf a resource is looked for, and for which list: some outlive what they are filtered by. */
export interface Seeking {
  organizationId: string;
  requestId: string;
  /** Name of the call in the contract. */
  operation: string;
}

/** Whether the organization has the resource that a filter names, or had it and the list still has items of it. */
export type ResourceFinders = Partial<Record<ResourceFilter, (by: Seeking, id: string) => Promise<boolean>>>;

/** Values of the query parameters of a call. */
type Filters = Partial<Record<ResourceFilter, string | undefined>>;

/**
 * For responses without items: those of a resource without any are empty, and a resource that the organization does not
 * have is a mistake. Responses with items need no look.
 * @throws Problem not_found naming the first filter whose resource does not exist
 */
export async function requireFiltered(finders: ResourceFinders, by: Seeking, filters: Filters): Promise<void> {
  for (const name of Object.keys(resourceFilters) as ResourceFilter[]) {
    const id = filters[name];
    if (id !== undefined && !(await finders[name]?.(by, id))) throw notFound(resourceFilters[name]);
  }
}

/**
 * Whether another service has what was requested from it.
 * @throws Problem when it responds with anything but the resource and 404
 */
export function isFound(result: CallResult<unknown>): boolean {
  if (result.ok || result.status === 404) return result.ok;
  const { code, detail, service } = result.problem;
  throw new Problem(code, detail, service ? { service } : {});
}

/** Whether a result is a list or lists, all without items. Of a page with further lists only its items count. */
export function isEmptyResult(result: unknown): boolean {
  if (!isRecord(result)) return false;
  const lists = "items" in result ? [result.items] : Object.values(result).filter(Array.isArray);
  return lists.length > 0 && lists.every((list) => Array.isArray(list) && list.length === 0);
}

/** @throws when an endpoint has a filter that the service cannot look up, which would make a mistake look like success */
export function requireFinders(contract: Contract, finders: ResourceFinders): void {
  for (const [name, endpoint] of Object.entries(contract)) {
    if (endpoint.access === "internal") continue;
    const missing = listResourceFilters(endpoint).filter((filter) => !finders[filter]);
    if (missing.length > 0) throw new Error(`${name} filters by ${missing}, which this service cannot look up`);
  }
}
