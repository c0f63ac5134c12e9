import { href } from "~/href";
import type { OperationKey } from "~/operation/operation-key";
import { OperationName } from "~/operation/operation-name";
import { SideNavigation, type SideNavigationGroup } from "~/ui/side-navigation/side-navigation";
import * as styles from "./operation-list.css";
import type { Sidebar } from "./sidebar.server";

export interface OperationListProps {
  sidebar: Sidebar;
  current?: OperationKey;
}

/** The operations beside a page, by tag. The island puts a fresh one in its place while somebody types. */
export function OperationList({ sidebar, current }: OperationListProps) {
  const { apiId, operations, more, query, tag } = sidebar;
  const groups: SideNavigationGroup[] = [];
  const isCurrent = ({ method, path }: OperationKey) => method === current?.method && path === current.path;
  const itemOf = (operation: OperationKey, deprecated: boolean) => ({
    href: href(
      "/api-management/:apiId/swagger/operation",
      { apiId },
      { method: operation.method, path: operation.path },
    ),
    label: <OperationName {...operation} className={deprecated ? styles.deprecated : undefined} />,
    current: isCurrent(operation),
  });
  // Of a large tag the one that is open may not be among those listed.
  if (current?.path && !query && !operations.some(isCurrent)) {
    groups.push({ key: "\0open", label: "Open", items: [itemOf(current, false)] });
  }
  for (const { method, path, tag: firstTag, deprecated } of operations) {
    const group = tag ?? firstTag;
    groups.push({ key: group, label: group || "Without tag", items: [itemOf({ method, path }, deprecated)] });
  }
  if (operations.length === 0) {
    return (
      <p className={styles.none}>
        {query ? "No operation matches. Try fewer or other words." : "The document has no operations."}
      </p>
    );
  }
  return (
    <>
      <SideNavigation label="Operations" groups={mergeGroups(groups)} />
      {more && (
        <a href={href("/api-management/:apiId/swagger/operations", { apiId }, { query, tag })} className={styles.more}>
          More operations
        </a>
      )}
    </>
  );
}

/** Operations of a tag need not stand together in the document; here they do. */
function mergeGroups(groups: readonly SideNavigationGroup[]): SideNavigationGroup[] {
  const merged = new Map<string, SideNavigationGroup>();
  for (const group of groups) {
    const known = merged.get(group.key);
    merged.set(group.key, known ? { ...known, items: [...known.items, ...group.items] } : group);
  }
  return [...merged.values()];
}
