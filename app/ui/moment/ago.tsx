import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./ago.css";
import { formatAgo, useFormatMoment } from "./moment";

export interface AgoProps {
  /** RFC 3339. */
  value: string;
  /** What "ago" counts from. */
  now: string;
  /** Stands in a link, which has the focus in its place. */
  inLink?: boolean;
}

/** How long ago: `5 min ago`. The exact time and its zone show on hover and focus, and are read out. */
export function Ago({ value, now, inLink }: AgoProps) {
  const format = useFormatMoment();
  // It takes the focus, though nothing can be done with it, so that whoever has no mouse reads the exact time too.
  const focusable = inLink ? {} : { tabIndex: 0 };
  return (
    <time {...focusable} dateTime={value} className={styles.ago}>
      {formatAgo(value, now)}
      <VisuallyHidden>, </VisuallyHidden>
      <span className={styles.exact}>{format(value, true)}</span>
    </time>
  );
}
