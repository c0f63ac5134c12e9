import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import { prose } from "./prose.css";

export interface ProseProps extends ComponentPropsWithoutRef<"div"> {
  /** Sanitized HTML. It is written into the page as it is. */
  sanitizedHtml?: string;
}

/** Long text whose elements carry no classes. */
export function Prose({ sanitizedHtml, className, children, ...rest }: ProseProps) {
  if (sanitizedHtml === undefined) {
    return (
      <div {...rest} className={joinClasses(prose, className)}>
        {children}
      </div>
    );
  }
  return (
    <div {...rest} className={joinClasses(prose, className)} dangerouslySetInnerHTML={{ __html: sanitizedHtml }} />
  );
}
