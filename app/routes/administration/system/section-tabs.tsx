import type { ReactNode } from "react";
import * as styles from "./section-tabs.css";
import { type Section, sectionAddress, sections } from "./sections";

/** The sections as links, and the current one beside them. */
export function SectionTabs({ current, children }: { current: Section; children: ReactNode }) {
  return (
    <div className={styles.beside}>
      <nav aria-label="Sections of the system configuration">
        <ul className={styles.list}>
          {sections.map(({ key, label }) => (
            <li key={key}>
              <a href={sectionAddress(key)} className={styles.tab} aria-current={key === current ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}
