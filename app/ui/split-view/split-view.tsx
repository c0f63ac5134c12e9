import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./split-view.css";

export interface SplitViewProps extends ComponentPropsWithoutRef<"div"> {
  /** Navigation within the page, usually a `SideNavigation`. It is sticky and scrolls separately. */
  sidebar: ReactNode;
  sidebarWidth?: "narrow" | "wide";
}

/** Navigation on one side, the selected content on the other. On small screens the sidebar is above. */
export function SplitView({ sidebar, sidebarWidth = "narrow", className, children, ...rest }: SplitViewProps) {
  return (
    <div {...rest} className={joinClasses(styles.view, styles.columns[sidebarWidth], className)}>
      <div className={styles.sidebar}>{sidebar}</div>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
