import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { OperationGroup } from "#contracts/api-registry/operation-groups.ts";
import type { OperationSummary } from "#contracts/api-registry/operations.ts";
import { required } from "~/backend/responses";
import { inAddress, isSameGroup, type OperationGroupKey, toGroupKey } from "~/features/operation/operation-group";
import type { Viewer } from "~/session/guards";

/** Documents with at most this many operations are listed in full; for larger ones a page shows one group or one search. */
export const maxListedOperations = 40;
const displayedGroups = 60;

export interface SidebarGroup extends OperationGroupKey {
  operationCount: number;
  /** Absent where the group is closed: its operations are loaded when it is opened. */
  operations?: Pick<OperationSummary, "method" | "path" | "deprecated">[];
  /** The page's operation belongs to it. */
  isOpen?: boolean;
  /** A group that a user opens is listed in addresses. */
  isAnnounced?: boolean;
}

export interface Sidebar {
  apiId: string;
  operationCount: number;
  query?: string;
  /** Number of operations that match the query. */
  found?: number;
  /** The current operation. */
  group?: OperationGroupKey;
  /** Groups that the user has opened; they stay open across pages. */
  opened: OperationGroupKey[];
  groups: SidebarGroup[];
  /** Number of groups that are not listed. */
  moreGroups: number;
}

interface Wanted {
  query?: string;
  group?: OperationGroupKey;
}

interface WantedSidebar extends Wanted {
  opened: OperationGroupKey[];
}

interface Groups {
  items: OperationGroup[];
  total: number;
}

type Listed = { items: OperationSummary[]; total?: number };

/** The sidebar's operations, bounded whatever the size of the document. */
export async function loadSidebar(
  viewer: Viewer,
  { id: apiId, operationCount }: Pick<ApiSummary, "id" | "operationCount">,
  { query, group, opened }: WantedSidebar,
  known?: Groups,
): Promise<Sidebar> {
  const isWhole = operationCount <= maxListedOperations;
  const list = (wanted: Wanted) => listWanted(viewer, apiId, wanted);
  const sidebar = { apiId, operationCount, query, group, opened: isWhole ? [] : opened };
  if (query) {
    const found = await list({ query });
    return { ...sidebar, found: found.total ?? found.items.length, groups: getGroups(found.items), moreGroups: 0 };
  }
  const open = [...(group ? [group] : []), ...sidebar.opened.filter((other) => !isSameGroup(other, group))];
  const [all, whole, lists] = await Promise.all([
    known ?? viewer.backend.apiRegistry.listOperationGroups({ params: { apiId } }).then(required),
    isWhole ? list({}) : undefined,
    isWhole ? [] : Promise.all(open.map(async (one) => ({ ...one, listed: await list({ group: one }) }))),
  ]);
  const toRows = (other: OperationGroup) => {
    if (whole) return operationsIn(whole.items, other);
    const found = lists.find((one) => isSameGroup(other, one));
    return found && operationsIn(found.listed.items, undefined);
  };
  const isOpen = (other: OperationGroupKey) => isSameGroup(other, group);
  const groups = all.items.filter(
    (other, index) => index < displayedGroups || open.some((one) => isSameGroup(other, one)),
  );
  return {
    ...sidebar,
    groups: groups.map((other) => ({
      ...other,
      isOpen: isOpen(other),
      isAnnounced: !isWhole && (!isOpen(other) || opened.some((one) => isSameGroup(other, one))),
      operations: toRows(other),
    })),
    moreGroups: all.total - groups.length,
  };
}

/** One group with as many of its operations as the limit allows. */
export async function loadGroup(viewer: Viewer, apiId: string, group: OperationGroupKey): Promise<SidebarGroup> {
  const { items, total = items.length } = await listWanted(viewer, apiId, { group });
  return { ...group, operationCount: total, operations: operationsIn(items, undefined) };
}

async function listWanted({ backend }: Viewer, apiId: string, { query, group }: Wanted): Promise<Listed> {
  return required(
    await backend.apiRegistry.listOperations({
      params: { apiId },
      query: { limit: maxListedOperations, query, ...(group && inAddress(group)) },
    }),
  );
}

/** An operation is listed under each of its tags. */
function operationsIn(operations: readonly OperationSummary[], group: OperationGroup | undefined) {
  const fitting = group
    ? operations.filter(({ tags, ...one }) =>
        group.kind === "tag" ? tags.includes(group.name) : isSameGroup(toGroupKey(one), group),
      )
    : operations;
  return fitting.map(({ method, path, deprecated }) => ({ method, path, deprecated }));
}

/** A search result is listed under its first tags. */
function getGroups(operations: readonly OperationSummary[]): SidebarGroup[] {
  const groups = new Map<string, SidebarGroup & { operations: OperationSummary[] }>();
  for (const operation of operations) {
    const key = toGroupKey(operation);
    const id = `${key.kind} ${key.name}`;
    const group = groups.get(id) ?? { ...key, operationCount: 0, operations: [] };
    groups.set(id, {
      ...group,
      operationCount: group.operationCount + 1,
      operations: [...group.operations, operation],
    });
  }
  return [...groups.values()].map((group) => ({ ...group, operations: operationsIn(group.operations, undefined) }));
}
