import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./empty-state.css";

export interface EmptyStateProps extends Omit<ComponentPropsWithoutRef<"div">, "title"> {
  title: ReactNode;
  headingLevel?: 2 | 3;
  icon?: IconName;
  /** The first step. */
  action?: ReactNode;
}

/** Says why there is nothing here, and the remedy. */
export function EmptyState(props: EmptyStateProps) {
  const { title, headingLevel = 2, icon, action, className, children, ...rest } = props;
  const Heading = `h${headingLevel}` as const;
  return (
    <div {...rest} className={joinClasses(styles.emptyState, className)}>
      {icon && <Icon name={icon} className={styles.icon} />}
      <Heading>{title}</Heading>
      {children && <div className={styles.explanation}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
