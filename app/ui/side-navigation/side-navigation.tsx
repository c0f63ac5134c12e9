import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./side-navigation.css";

export interface SideNavigationItem {
  href: string;
  label: ReactNode;
  current?: boolean;
  /** Before the label, such as a method. */
  mark?: ReactNode;
  /** After it, such as a count. */
  count?: ReactNode;
}

export interface SideNavigationGroup {
  key: string;
  label?: string;
  items: readonly SideNavigationItem[];
}

export interface SideNavigationProps extends Omit<ComponentPropsWithoutRef<"nav">, "children"> {
  label: string;
  groups: readonly SideNavigationGroup[];
  /** One scrolling row on small screens: for short labels. */
  flows?: boolean;
}

/** The pages of one area, in groups. */
export function SideNavigation({ label, groups, flows, className, ...rest }: SideNavigationProps) {
  return (
    <nav aria-label={label} {...rest} className={joinClasses(styles.navigation, flows && styles.flowing, className)}>
      {groups.map((group) => (
        <div key={group.key}>
          {group.label && <p className={styles.groupLabel}>{group.label}</p>}
          <ul aria-label={group.label}>
            {group.items.map((item) => (
              <li key={item.href}>
                <a href={item.href} className={styles.link} aria-current={item.current ? "page" : undefined}>
                  {item.mark}
                  <span className={styles.label}>{item.label}</span>
                  {item.count}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
