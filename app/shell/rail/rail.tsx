import { formatCount } from "~/ui/count/format-count";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import type { Rail as FoundRail, RailItem } from "./find-rail";
import * as styles from "./rail.css";

/** The only navigation between pages: at the left of wide screens, one scrolling row on small ones. */
export function Rail({ sections, isArea }: FoundRail) {
  return (
    <nav aria-label="Workspace" className={styles.rail}>
      <ul className={joinClasses(styles.sections, isArea && styles.area)}>
        {sections.map(({ label, icon, item, isOpen, isUp, groups }) => (
          <li key={label} className={joinClasses(isOpen && styles.open, isUp && styles.up)}>
            {item ? (
              <a href={item.href} className={styles.section} aria-current={item.current}>
                <Icon name={icon} className={styles.mark} />
                {label}
                <Count {...item} />
              </a>
            ) : (
              <p className={styles.title}>
                <Icon name={icon} className={styles.mark} />
                {label}
              </p>
            )}
            {groups.map((group) => (
              <div key={group.label ?? label} className={styles.group}>
                {group.label && <p className={styles.groupLabel}>{group.label}</p>}
                <ul aria-label={group.label} className={styles.pages}>
                  {group.items.map((page) => (
                    <li key={page.href}>
                      <a href={page.href} className={styles.page} aria-current={page.current}>
                        {page.label}
                        <Count {...page} />
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ count, countWords }: RailItem) {
  if (count === undefined) return null;
  return (
    <>
      {" "}
      <span className={styles.count}>
        {formatCount(count)}
        {countWords && <VisuallyHidden> {countWords}</VisuallyHidden>}
      </span>
    </>
  );
}
