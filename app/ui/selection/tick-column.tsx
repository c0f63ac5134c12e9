import type { Column } from "~/ui/table/table";
import { selectedField, selectedForm } from "./selected-field";
import * as styles from "./selection.css";

/** The checkboxes of a list with a `SelectionBar`. */
export function tickColumn<Row extends { id: string }>(
  ticked: readonly string[],
  getName: (row: Row) => string,
): Column<Row> {
  return {
    key: "tick",
    header: "Tick",
    headerHidden: true,
    tight: true,
    className: styles.tickCell,
    cell: (row) => (
      <input
        type="checkbox"
        form={selectedForm}
        name={selectedField}
        value={row.id}
        defaultChecked={ticked.includes(row.id)}
        aria-label={`Select ${getName(row)}`}
        className={styles.tick}
      />
    ),
  };
}
