import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import { skipLink } from "./skip-link.css";

export interface SkipLinkProps extends ComponentPropsWithoutRef<"a"> {
  /** The page's main content; it needs `tabIndex={-1}` to take the focus. */
  href: `#${string}`;
}

/** First in the page: takes keyboard users past the repeated navigation. */
export function SkipLink({ className, children = "Skip to content", ...rest }: SkipLinkProps) {
  return (
    <a {...rest} className={joinClasses(skipLink, className)}>
      {children}
    </a>
  );
}
