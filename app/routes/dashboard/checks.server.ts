import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import { available } from "~/backend/responses";
import { type ApiStatus, figuresRange, findApiStatuses } from "~/features/apis/api-statuses.server";
import type { Viewer } from "~/session/guards";

const pageSize = 50;
/** Precedes the cursor of the APIs that do not fail; those that do come first. */
const restPrefix = "rest.";

export const checkStates = ["failing", "well"] as const;
export type CheckState = (typeof checkStates)[number];

/** When an API's tests run next by any schedule, or that the plan holds all back; null: by none, undefined: unknown. */
export type NextRun = { at: string } | "heldBack" | null | undefined;

export type Check = ApiSummary & ApiStatus & { next: NextRun };

export interface CheckFilters {
  state: CheckState | undefined;
  tag: string | undefined;
  cursor: string | undefined;
}

export function readCheckFilters(request: Request): CheckFilters {
  const search = new URL(request.url).searchParams;
  return {
    state: checkStates.find((known) => known === search.get("state")),
    tag: search.get("tag") || undefined,
    cursor: search.get("cursor") || undefined,
  };
}

/**
 * One page of the organization's APIs with their status: failing ones first, each part by name. The number of calls
 * does not depend on how many there are. Undefined while the APIs are unavailable.
 * @param failingIds at most 200; undefined while unknown, which leaves all by name
 */
export async function listChecks(viewer: Viewer, request: Request, failingIds: readonly string[] | undefined) {
  const filters = readCheckFilters(request);
  const page = await listInOrder(viewer, filters, failingIds);
  if (!page) return undefined;
  const [getStatus, getNext, total] = await Promise.all([
    findApiStatuses(viewer, request, page.apis),
    findNextRuns(viewer, page.apis),
    filters.tag || filters.state ? countApis(viewer) : page.total,
  ]);
  return {
    ...{ filters, total, tags: page.tags, nextCursor: page.nextCursor, range: figuresRange(request) },
    checks: page.apis.map((api): Check => ({ ...api, ...getStatus(api), next: getNext(api) })),
  };
}

async function listInOrder(
  { backend: { apiRegistry } }: Viewer,
  { state, tag, cursor }: CheckFilters,
  failingIds: readonly string[] = [],
) {
  const failing = failingIds.join(",");
  const list = async (query: { ids?: string; except?: string; cursor?: string; limit: number }) =>
    available(await apiRegistry.listApis({ query: { ...query, tag, sort: "name" } }));
  const except = failing || undefined;
  const listRest = (after: string | undefined, limit: number) => list({ except, cursor: after, limit });
  if (state === "failing") return toPage(await list({ ids: failing, cursor, limit: pageSize }));
  if (state === "well") return toPage(await listRest(cursor, pageSize));
  if (!failing) return toPage(await listRest(cursor?.replace(restPrefix, "") || undefined, pageSize));
  if (cursor?.startsWith(restPrefix)) {
    const [found, first] = await Promise.all([
      listRest(cursor.slice(restPrefix.length) || undefined, pageSize),
      list({ ids: failing, limit: 1 }),
    ]);
    return found && toPage({ ...withRest(found), total: add(first?.total, found.total) });
  }
  const first = await list({ ids: failing, cursor, limit: pageSize });
  if (!first) return undefined;
  const missing = pageSize - first.items.length;
  const rest = await listRest(undefined, Math.max(1, missing));
  if (!rest) return undefined;
  const total = add(first.total, rest.total);
  if (first.nextCursor || missing === 0) {
    const nextCursor = first.nextCursor ?? (rest.items.length > 0 ? restPrefix : null);
    return toPage({ ...first, nextCursor, total });
  }
  return toPage({ ...withRest(rest), items: [...first.items, ...rest.items], total });
}

const add = (one: number | undefined, other: number | undefined) => (one ?? 0) + (other ?? 0);

function withRest<Page extends { nextCursor: string | null }>(page: Page): Page {
  return { ...page, nextCursor: page.nextCursor && restPrefix + page.nextCursor };
}

interface Listed {
  items: ApiSummary[];
  nextCursor: string | null;
  total?: number | undefined;
  tags: string[];
}

const toPage = (page: Listed | undefined) => page && { ...page, apis: page.items };

async function countApis({ backend }: Viewer): Promise<number | undefined> {
  return available(await backend.apiRegistry.listApis({ query: { limit: 1 } }))?.total;
}

async function findNextRuns(
  { backend }: Viewer,
  apis: readonly { id: string }[],
): Promise<(api: { id: string }) => NextRun> {
  if (apis.length === 0) return () => null;
  const apiIds = apis.map(({ id }) => id).join(",");
  const found = available(await backend.testRegistry.summarizeSchedulesOfApis({ query: { apiIds } }));
  const byApi = new Map(
    found?.items.map(({ apiId, next }): [string, NextRun] => [apiId, next ? { at: next.at } : "heldBack"]),
  );
  return ({ id }) => found && (byApi.get(id) ?? null);
}
