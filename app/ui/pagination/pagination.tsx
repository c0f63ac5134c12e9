import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { LinkButton } from "~/ui/button/button";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./pagination.css";

export interface PaginationProps extends Omit<ComponentPropsWithoutRef<"nav">, "children"> {
  /** Name of the navigation, such as "Pages of tests". */
  label: string;
  /** Position in the list, such as "25 of 310". */
  summary?: ReactNode;
  firstHref?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Pagination by cursor, without page numbers. Renders nothing for a single page. */
export function Pagination({ label, summary, firstHref, previousHref, nextHref, className, ...rest }: PaginationProps) {
  if (!firstHref && !previousHref && !nextHref && !summary) return null;
  return (
    <nav aria-label={label} {...rest} className={joinClasses(styles.pagination, className)}>
      {summary && <p className={styles.summary}>{summary}</p>}
      <div className={styles.links}>
        {firstHref && (
          <LinkButton href={firstHref} size="small" variant="quiet">
            First
          </LinkButton>
        )}
        {previousHref && (
          <LinkButton href={previousHref} size="small" icon="chevron-left" rel="prev">
            Previous
          </LinkButton>
        )}
        {nextHref && (
          <LinkButton href={nextHref} size="small" iconAfter="chevron-right" rel="next">
            Next
          </LinkButton>
        )}
      </div>
    </nav>
  );
}
