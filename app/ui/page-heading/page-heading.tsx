import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Breadcrumbs, type Crumb } from "~/ui/breadcrumbs/breadcrumbs";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./page-heading.css";

export interface PageHeadingProps extends Omit<ComponentPropsWithoutRef<"header">, "title" | "children"> {
  title: ReactNode;
  description?: ReactNode;
  /** Next to the title, such as a state badge. */
  mark?: ReactNode;
  breadcrumbs?: readonly Crumb[];
  /** The actions of this page; the primary button last. */
  actions?: ReactNode;
}

/** The one `h1` of a page. */
export function PageHeading({ title, description, mark, breadcrumbs, actions, className, ...rest }: PageHeadingProps) {
  return (
    <header {...rest} className={joinClasses(styles.heading, className)}>
      <div className={styles.words}>
        {breadcrumbs && <Breadcrumbs items={breadcrumbs} className={styles.above} />}
        <div className={styles.title}>
          <h1 className={styles.name}>{title}</h1>
          {mark}
        </div>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
