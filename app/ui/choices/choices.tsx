import { joinClasses } from "~/ui/join-classes";
import * as styles from "./choices.css";

export interface ChoicesProps {
  items: readonly { label: string; href: string; current: boolean }[];
  className?: string;
}

/** Links of which one is current, such as the ranges of a plot. Put it in a `nav` with a name. */
export function Choices({ items, className }: ChoicesProps) {
  return (
    <ul className={joinClasses(styles.list, className)}>
      {items.map(({ label, href, current }) => (
        <li key={label}>
          <a href={href} className={styles.choice} aria-current={current ? "true" : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
