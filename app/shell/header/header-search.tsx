import { href } from "~/href";
import { islandSource } from "~/islands/island-attributes";
import { Icon } from "~/ui/icon/icon";
import * as styles from "./header-search.css";

/** Whether single-character keys are enabled. */
export interface HeaderSearchProps {
  hasSingleKeys: boolean;
}

/**
 * The search field of the header, a form. With script, a press on it or a key opens the search dialog, which
 * `entry.client.ts` loads from the address here. Narrow screens get a link instead.
 */
export function HeaderSearch({ hasSingleKeys }: HeaderSearchProps) {
  return (
    <>
      <search className={styles.wide} aria-label="Everything">
        <form action={href("/search")} className={styles.form}>
          <Icon name="search" className={styles.icon} />
          <input
            type="search"
            name="query"
            aria-label="Search"
            placeholder="Search"
            autoComplete="off"
            maxLength={200}
            className={styles.field}
            data-palette={islandSource("search-palette")}
            data-keys={hasSingleKeys ? "/?g" : ""}
          />
          {hasSingleKeys && <span className={styles.key} />}
        </form>
      </search>
      <a href={href("/search")} className={styles.narrow} aria-label="Search">
        <Icon name="search" />
      </a>
    </>
  );
}
