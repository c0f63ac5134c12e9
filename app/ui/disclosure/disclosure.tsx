import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./disclosure.css";

export interface DisclosureProps extends Omit<ComponentPropsWithoutRef<"details">, "summary"> {
  summary: ReactNode;
  look?: "plain" | "framed";
  /** Starts open. Disclosures with the same `name` open one at a time. */
  open?: boolean;
  name?: string;
}

/** Details that open on demand; links to a target inside open it. */
export function Disclosure({ summary, look = "plain", className, children, ...rest }: DisclosureProps) {
  return (
    <details {...rest} className={joinClasses(styles.disclosure, styles.look[look], className)}>
      <summary className={joinClasses(styles.summary, styles.summaryLook[look])}>
        <Icon name="chevron-right" className={styles.arrow} />
        <span className={styles.words}>{summary}</span>
      </summary>
      <div className={styles.content[look]}>{children}</div>
    </details>
  );
}
