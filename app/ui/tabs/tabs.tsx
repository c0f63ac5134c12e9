import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./tabs.css";

export interface Tab {
  label: string;
  href: string;
  current?: boolean;
  count?: number;
}

export interface TabsProps extends Omit<ComponentPropsWithoutRef<"nav">, "children"> {
  /** What the tabs are views of. */
  label: string;
  items: readonly Tab[];
}

/** Views of one thing. Each is a page of its own, so these are links. */
export function Tabs({ label, items, className, ...rest }: TabsProps) {
  return (
    <nav aria-label={label} {...rest} className={joinClasses(className)}>
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={item.href}>
            <a href={item.href} className={styles.tab} aria-current={item.current ? "page" : undefined}>
              {item.label}
              {item.count !== undefined && <span className={styles.count}>{item.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
