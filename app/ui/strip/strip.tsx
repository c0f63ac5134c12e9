import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./strip.css";

export interface StripItem {
  key: string;
  tone: Tone;
  /** The outcome and its time, shown on hover. */
  label: string;
}

export interface StripProps {
  /** What the bars say, in words: "21 of 22 runs passed, last failed 2 h ago". */
  text: string;
  /** Oldest first. About 30 fit a table cell. */
  items: readonly StripItem[];
  /** Address of the list of these outcomes. */
  href?: string | undefined;
}

/**
 * The latest outcomes of one subject at a glance: one link with its words, however many bars. Height repeats the
 * meaning of the colour.
 */
export function Strip({ text, items, href }: StripProps) {
  const bars = items.map(({ key, tone, label }) => (
    <span key={key} title={label} className={styles.item}>
      <span className={joinClasses(styles.shape, styles.tick[tone])} />
    </span>
  ));
  if (!href) {
    return (
      <span role="img" aria-label={text} className={styles.strip}>
        {bars}
      </span>
    );
  }
  return (
    <a href={href} className={styles.link}>
      <span aria-hidden="true" className={styles.strip}>
        {bars}
      </span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </a>
  );
}
