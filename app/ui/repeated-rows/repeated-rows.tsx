import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Button } from "~/ui/button/button";
import { FieldsetGroup, type FieldsetGroupProps } from "~/ui/fieldset-group/fieldset-group";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./repeated-rows.css";

/** A submit button that asks the server to add or remove a row; the result of conform's `getButtonProps` fits. */
export type RowButton = Pick<ComponentPropsWithoutRef<"button">, "name" | "value" | "form" | "formNoValidate">;

export interface RepeatedRow {
  key: string;
  /** In one line if they fit. */
  fields: ReactNode;
  /** Names the row, such as "Remove header Accept". */
  removeLabel: string;
  remove: RowButton;
}

export interface RepeatedRowsProps extends Omit<FieldsetGroupProps, "children"> {
  rows: readonly RepeatedRow[];
  addLabel: string;
  add: RowButton;
  /** Shown while there is no row. */
  empty?: ReactNode;
  /** Rows without a frame, for long lists. */
  dense?: boolean;
}

/**
 * A list of similar rows that the server adds and removes, so it needs no script. Its form needs a `DefaultSubmit`
 * first, or the Enter key would press the first "Remove".
 */
export function RepeatedRows({ rows, addLabel, add, empty, dense, look = "heading", ...group }: RepeatedRowsProps) {
  return (
    <FieldsetGroup {...group} look={look}>
      {rows.length > 0 && (
        <div className={joinClasses(styles.rows, dense && styles.container)}>
          {rows.map((row) => (
            <div key={row.key} className={joinClasses(styles.row, dense ? styles.plain : styles.framed)}>
              <div className={styles.fields}>{row.fields}</div>
              <Button
                formNoValidate
                {...row.remove}
                variant="quiet"
                size="small"
                icon="trash"
                labelHidden
                title={row.removeLabel}
              >
                {row.removeLabel}
              </Button>
            </div>
          ))}
        </div>
      )}
      <div className={dense ? styles.foot : styles.stackedFoot}>
        {rows.length === 0 && empty && <p className={styles.empty}>{empty}</p>}
        <Button formNoValidate {...add} size="small" icon="plus" className={styles.add}>
          {addLabel}
        </Button>
      </div>
    </FieldsetGroup>
  );
}
