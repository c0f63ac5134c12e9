import type { ReactNode } from "react";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./row-cells.css";

/** The fields of one row, sized by their content. */
export function RowCells({ look, children }: { look: keyof typeof styles.look; children: ReactNode }) {
  return <div className={joinClasses(styles.cells, styles.look[look])}>{children}</div>;
}

/** Displayed as "name", announced as "header 2 name": rows repeat the same labels. */
export function CellLabel({ row, cell }: { row: string; cell: string }) {
  return (
    <>
      <VisuallyHidden>{row} </VisuallyHidden>
      <span className={styles.cellLabel}>{cell}</span>
    </>
  );
}

/** The box that enables a row. */
export function TickCell({ labelled, children }: { labelled: boolean; children: ReactNode }) {
  return <div className={styles.tick[labelled ? "labelled" : "plain"]}>{children}</div>;
}
