import type { ComponentPropsWithoutRef } from "react";
import * as styles from "./breadcrumbs.css";

export interface Crumb {
  label: string;
  /** Muted text after it: a version. */
  note?: string;
  /** Omitted for the current page. */
  href?: string;
}

export interface BreadcrumbsProps extends Omit<ComponentPropsWithoutRef<"nav">, "children"> {
  /** From the outermost page to this one. */
  items: readonly Crumb[];
}

/** The way back up. */
export function Breadcrumbs({ items, ...rest }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumbs" {...rest}>
      <ol className={styles.list}>
        {items.map(({ label, note, href }) => (
          <li key={`${href} ${label}`} className={styles.item}>
            {href ? (
              <a href={href} className={styles.link}>
                {label}
              </a>
            ) : (
              <span aria-current="page">{label}</span>
            )}
            {note && " "}
            {note && <span className={styles.note}>{note}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
