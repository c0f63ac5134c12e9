import type { ReactNode } from "react";
import { Button, type ButtonProps } from "~/ui/button/button";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { selectedField, selectedForm } from "./selected-field";
import * as styles from "./selection.css";

export interface SelectionBarProps {
  /** Rows on the page. */
  count: number;
  one: string;
  many: string;
  /** Attributes of the island that selects all rows or a range of them. */
  alive: object;
  /** Displayed until a row is ticked. */
  hint: string;
  /** Hidden fields. */
  fields?: ReactNode;
  /** The actions for the ticked rows. */
  children: ReactNode;
}

/** The actions for the rows that are ticked in the list below, and a tick for all of them. */
export function SelectionBar({ count, one, many, alive, hint, fields, children }: SelectionBarProps) {
  return (
    <form
      method="post"
      id={selectedForm}
      className={styles.bar}
      {...alive}
      data-ticks={selectedField}
      data-one={one}
      data-many={many}
    >
      {fields}
      <label className={styles.all}>
        <input type="checkbox" data-all="" className={styles.tick} />
        <span>
          All
          <VisuallyHidden>
            {" "}
            {count.toLocaleString("en")} {count === 1 ? one : many} on this page
          </VisuallyHidden>
        </span>
      </label>
      <p className={styles.count} role="status" data-count="" />
      <p className={styles.hint}>{hint}</p>
      <div className={styles.actions}>{children}</div>
    </form>
  );
}

export interface SelectedButtonProps extends Omit<ButtonProps, "children"> {
  /** Such as "Delete" of "Delete selected…". */
  verb: string;
  rest?: string;
}

/** Submits the ticked rows, with its value as `intent`. */
export function SelectedButton({ verb, rest, value, ...button }: SelectedButtonProps) {
  return (
    <Button
      size="small"
      className={styles.button}
      {...(value === undefined ? {} : { name: "intent", value })}
      {...button}
    >
      <span>
        {verb}
        <VisuallyHidden> selected</VisuallyHidden>
        {rest}
      </span>
    </Button>
  );
}
