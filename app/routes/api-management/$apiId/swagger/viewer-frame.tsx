import type { ReactNode } from "react";
import { inAddress, writeGroups } from "~/features/operation/operation-group";
import type { OperationKey } from "~/features/operation/operation-key";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { Page } from "~/shell/page/page";
import { formatCount } from "~/ui/count/format-count";
import { TextField } from "~/ui/text-field/text-field";
import { OperationList } from "./operation-list";
import type { Sidebar } from "./sidebar.server";
import * as styles from "./viewer-frame.css";

export interface ViewerFrameProps {
  sidebar: Sidebar;
  current?: OperationKey;
  children: ReactNode;
}

/**
 * The reference's pages next to the list of operations. The search is a GET form; the island `swagger-viewer` updates
 * it during typing with the same list rendered by the server.
 */
export function ViewerFrame({ sidebar, current, children }: ViewerFrameProps) {
  const { apiId, query, group, operationCount } = sidebar;
  const open = writeGroups(sidebar.opened);
  return (
    <Page
      sidebarWidth="wide"
      sidebar={
        <div
          {...islandAttributes("swagger-viewer")}
          data-when="idle"
          data-part="filter"
          data-address={href(
            "/api-management/:apiId/swagger/filter",
            { apiId },
            { method: current?.method, path: current?.path, ...(group && inAddress(group)), open },
          )}
        >
          <div className={styles.search}>
            <search aria-label="Operations">
              <form method="get" action={href("/api-management/:apiId/swagger/operations", { apiId })}>
                <TextField
                  type="search"
                  name="query"
                  label="Find an operation"
                  labelHidden
                  placeholder={
                    operationCount > 1 ? `Find in ${formatCount(operationCount)} operations` : "Find an operation"
                  }
                  defaultValue={query}
                />
                {open && <input type="hidden" name="open" value={open} />}
              </form>
            </search>
            <nav aria-label="Reference" className={styles.links}>
              <a href={href("/api-management/:apiId/swagger", { apiId }, { open })}>Overview</a>
              <a href={href("/api-management/:apiId/swagger/operations", { apiId }, { open })}>All operations</a>
            </nav>
            <p role="status" className={styles.found} data-found hidden />
          </div>
          <div data-list>
            <OperationList sidebar={sidebar} current={current} />
          </div>
        </div>
      }
    >
      {children}
    </Page>
  );
}
