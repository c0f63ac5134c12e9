import type { ComponentPropsWithoutRef } from "react";
import { listId } from "~/ui/filter-bar/list-id";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./skip-link.css";

export interface SkipLinkProps extends ComponentPropsWithoutRef<"a"> {
  /** The page's main content; it needs `tabIndex={-1}` to take the focus. */
  href: `#${string}`;
}

/** First in the page: takes keyboard users past the repeated navigation. */
export function SkipLink({ className, children = "Skip to content", ...rest }: SkipLinkProps) {
  return (
    <a {...rest} className={joinClasses(styles.skipLink, className)}>
      {children}
    </a>
  );
}

/** Beside it: past headings, actions and filters to the list. Displayed on pages that have a `FilterBar` only. */
export function SkipToList() {
  return (
    <SkipLink href={`#${listId}`} className={styles.toList}>
      Skip to the list
    </SkipLink>
  );
}
