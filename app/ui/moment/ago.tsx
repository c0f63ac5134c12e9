import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./ago.css";
import { formatAgo, useFormatMoment } from "./moment";

export interface AgoProps {
  /** RFC 3339. */
  value: string;
  /** Reference time of "ago". */
  now: string;
  /** It is within a link, which is focusable instead. */
  inLink?: boolean;
}

/** A relative time: `5 min ago`. The exact time and its zone show on hover and focus, and are read out. */
export function Ago({ value, now, inLink }: AgoProps) {
  const format = useFormatMoment();
  // Focusable although it has no action, so that keyboard users can read the exact time too.
  const focusable = inLink ? {} : { tabIndex: 0 };
  return (
    <time {...focusable} dateTime={value} className={styles.ago}>
      {formatAgo(value, now)}
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.exact}>{format(value, true)}</span>
    </time>
  );
}
