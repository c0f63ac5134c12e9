import type { ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./row-cells.css";

/** The fields of one row, in the proportions of what they hold. */
export function RowCells({ look, children }: { look: keyof typeof styles.look; children: ReactNode }) {
  return <div className={joinClasses(styles.cells, styles.look[look])}>{children}</div>;
}

/** "name" for the eye, "header 2 name" for the ear: rows repeat the same labels. */
export function CellLabel({ row, cell }: { row: string; cell: string }) {
  return (
    <>
      <VisuallyHidden>{row} </VisuallyHidden>
      <span className={styles.cellLabel}>{cell}</span>
    </>
  );
}

/** The box of a row that is sent or not. */
export function TickCell({ labelled, children }: { labelled: boolean; children: ReactNode }) {
  return <div className={styles.tick[labelled ? "labelled" : "plain"]}>{children}</div>;
}
