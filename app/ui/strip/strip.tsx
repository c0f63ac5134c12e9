import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./strip.css";

export interface StripItem {
  key: string;
  tone: Tone;
  /** The outcome and its time, in words. */
  label: string;
  href?: string;
}

export interface StripProps extends Omit<ComponentPropsWithoutRef<"ul">, "children"> {
  /** Subject of the outcomes. */
  label: string;
  /** Oldest first. About 30 fit a table cell. */
  items: readonly StripItem[];
}

/** The latest outcomes of one subject at a glance. Height repeats the meaning of the colour. */
export function Strip({ label, items, className, ...rest }: StripProps) {
  return (
    <ul aria-label={label} {...rest} className={joinClasses(styles.strip, className)}>
      {items.map((item) => {
        const content = (
          <>
            <span className={joinClasses(styles.shape, styles.tick[item.tone])} />
            <VisuallyHidden>{item.label}</VisuallyHidden>
          </>
        );
        return (
          <li key={item.key} className={styles.item} title={item.label}>
            {item.href ? (
              <a href={item.href} className={styles.item}>
                {content}
              </a>
            ) : (
              content
            )}
          </li>
        );
      })}
    </ul>
  );
}
