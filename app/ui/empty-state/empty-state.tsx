import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Illustration, type IllustrationName } from "~/ui/illustration/illustration";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./empty-state.css";

export interface EmptyStateProps extends Omit<ComponentPropsWithoutRef<"div">, "title"> {
  title: ReactNode;
  headingLevel?: 2 | 3;
  /** For empty pages; empty sections of a page have none. */
  illustration?: IllustrationName;
  /** The first step. */
  action?: ReactNode;
}

/** Says why the list is empty, what it will show, and how to add the first entry. */
export function EmptyState(props: EmptyStateProps) {
  const { title, headingLevel = 2, illustration, action, className, children, ...rest } = props;
  const Heading = `h${headingLevel}` as const;
  return (
    <div {...rest} className={joinClasses(styles.emptyState, className)}>
      {illustration && <Illustration name={illustration} />}
      <Heading>{title}</Heading>
      {children && <div className={styles.explanation}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
