import { groupName, inAddress, type OperationGroupKey, writeGroups } from "~/features/operation/operation-group";
import type { OperationKey } from "~/features/operation/operation-key";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./operation-list.css";
import type { Sidebar, SidebarGroup } from "./sidebar.server";

export interface OperationListProps {
  sidebar: Sidebar;
  current?: OperationKey;
}

/** The sidebar's operations, in groups. The island replaces the list while the user types. */
export function OperationList({ sidebar, current }: OperationListProps) {
  const { apiId, groups, moreGroups, query, found, opened } = sidebar;
  if (groups.length === 0) {
    return (
      <p className={styles.none}>
        {query ? "No matching operations. Try fewer or other words." : "The document has no operations."}
      </p>
    );
  }
  const displayed = groups.reduce((sum, group) => sum + group.operationCount, 0);
  return (
    <nav aria-label="Operations" className={styles.groups}>
      {groups.map((group) => (
        <Group
          key={`${group.kind} ${group.name}`}
          {...{ apiId, group, opened }}
          current={query ? undefined : current}
        />
      ))}
      {found !== undefined && found > displayed && (
        <a
          href={href("/api-management/:apiId/swagger/operations", { apiId }, { query, open: writeGroups(opened) })}
          className={styles.more}
        >
          {plural(found - displayed, "more operation")}
        </a>
      )}
      {moreGroups > 0 && (
        <a href={`${href("/api-management/:apiId/swagger", { apiId })}#groups`} className={styles.more}>
          {plural(moreGroups, "more group")}
        </a>
      )}
    </nav>
  );
}

interface GroupProps {
  apiId: string;
  group: SidebarGroup;
  opened: readonly OperationGroupKey[];
  current?: OperationKey;
}

/** A closed group links to its operations; the island loads them when it is opened. */
function Group({ apiId, group, opened, current }: GroupProps) {
  const { operationCount, operations } = group;
  const address = { ...inAddress(group), open: writeGroups([...opened, group]) };
  return (
    <details
      open={operations !== undefined}
      className={styles.group}
      data-group={group.isAnnounced ? writeGroups([group]) : undefined}
      data-rows={
        operations ? undefined : href("/api-management/:apiId/swagger/filter", { apiId }, { ...address, rows: "only" })
      }
    >
      <summary className={styles.summary}>
        <span className={styles.groupName}>{groupName(group)}</span>{" "}
        <span className={styles.count}>
          {formatCount(operationCount)}
          <VisuallyHidden> {operationCount === 1 ? "operation" : "operations"}</VisuallyHidden>
        </span>
      </summary>
      {operations ? (
        <GroupRows {...{ apiId, group, opened, current }} />
      ) : (
        <a href={href("/api-management/:apiId/swagger/operations", { apiId }, address)} className={styles.more}>
          {plural(operationCount, "operation")}
        </a>
      )}
    </details>
  );
}

/** The operations of one group, and their number. */
export function GroupRows({ apiId, group, opened, current }: GroupProps) {
  const open = writeGroups(opened);
  const { operations = [], operationCount } = group;
  const isCurrent = ({ method, path }: OperationKey) => method === current?.method && path === current.path;
  // In a large group, the open operation may not be among those listed.
  const rows = current?.path && !operations.some(isCurrent) && group.isOpen ? [...operations, current] : operations;
  const more = operationCount - rows.length;
  return (
    <ul aria-label={groupName(group)}>
      {rows.map((operation) => (
        <li key={`${operation.method} ${operation.path}`}>
          <a
            href={href(
              "/api-management/:apiId/swagger/operation",
              { apiId },
              { method: operation.method, path: operation.path, open },
            )}
            className={styles.link}
            aria-current={isCurrent(operation) ? "page" : undefined}
          >
            <OperationName
              {...operation}
              inColumn
              className={"deprecated" in operation && operation.deprecated ? styles.deprecated : undefined}
            />
          </a>
        </li>
      ))}
      {more > 0 && (
        <li>
          <a
            href={href("/api-management/:apiId/swagger/operations", { apiId }, { ...inAddress(group), open })}
            className={styles.more}
          >
            {plural(more, "more operation")}
          </a>
        </li>
      )}
    </ul>
  );
}
