import type { ComponentPropsWithoutRef } from "react";
import { countBadge } from "~/ui/count/count-badge.css";
import { formatCount } from "~/ui/count/format-count";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./tabs.css";

export interface Tab {
  label: string;
  href: string;
  /** Whether this is the current page, or an ancestor of it. */
  current?: boolean | "page" | "section";
  count?: number;
}

export interface TabsProps extends Omit<ComponentPropsWithoutRef<"nav">, "children"> {
  /** The subject of the tabs. */
  label: string;
  items: readonly Tab[];
}

function getCurrent({ current }: Tab): "page" | "true" | undefined {
  if (!current) return undefined;
  return current === "section" ? "true" : "page";
}

/** Views of one subject. Each is a page of its own, so these are links. */
export function Tabs({ label, items, className, ...rest }: TabsProps) {
  return (
    <nav aria-label={label} {...rest} className={joinClasses(className)}>
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={item.href}>
            <a href={item.href} className={styles.tab} aria-current={getCurrent(item)}>
              {item.label}
              {item.count !== undefined && " "}
              {item.count !== undefined && <span className={countBadge}>{formatCount(item.count)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
