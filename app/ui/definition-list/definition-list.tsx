import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./definition-list.css";

export interface Definition {
  term: string;
  value: ReactNode;
}

export interface DefinitionListProps extends Omit<ComponentPropsWithoutRef<"dl">, "children"> {
  /** Falsy entries are omitted, so that a page can write `condition && {…}`. */
  items: readonly (Definition | false | null | undefined)[];
  look?: "rows" | "columns";
}

/** Names and their values. */
export function DefinitionList({ items, look = "rows", className, ...rest }: DefinitionListProps) {
  return (
    <dl {...rest} className={joinClasses(styles.list, styles.look[look], className)}>
      {items.map(
        (item) =>
          item && (
            <div key={item.term} className={styles.pair[look]}>
              <dt className={styles.term[look]}>{item.term}</dt>
              <dd className={styles.value[look]}>{item.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
