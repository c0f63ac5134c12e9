import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { LinkButton } from "~/ui/button/button";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./pagination.css";

export interface PaginationProps extends Omit<ComponentPropsWithoutRef<"nav">, "children"> {
  /** What is being paged, such as "Pages of tests". */
  label: string;
  /** Where in the list this page is, such as "25 of 310". */
  summary?: ReactNode;
  firstHref?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Steps through a list by cursor; there are no page numbers to jump to. Draws nothing when there is nowhere to go. */
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
