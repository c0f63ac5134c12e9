import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./layout.css";

export type Gap = keyof typeof styles.gap;

/** A column with equal gaps. Components have no margins of their own. */
export function Stack({ gap = "large", className, ...rest }: ComponentPropsWithoutRef<"div"> & { gap?: Gap }) {
  return <div {...rest} className={joinClasses(styles.stack, styles.gap[gap], className)} />;
}

export interface RowProps extends ComponentPropsWithoutRef<"div"> {
  gap?: Gap;
  justify?: keyof typeof styles.rowAlignment;
}

/** A row that wraps on narrow screens. */
export function Row({ gap = "small", justify = "start", className, ...rest }: RowProps) {
  return (
    <div {...rest} className={joinClasses(styles.row, styles.rowAlignment[justify], styles.gap[gap], className)} />
  );
}

export interface GridProps extends ComponentPropsWithoutRef<"div"> {
  gap?: Gap;
  /** Minimum width of a cell; determines the number of columns. */
  cell?: keyof typeof styles.grid;
}

/** Equal cells: cards, figures. */
export function Grid({ gap = "large", cell = "medium", className, ...rest }: GridProps) {
  return <div {...rest} className={joinClasses(styles.grid[cell], styles.gap[gap], className)} />;
}

export interface ColumnProps extends ComponentPropsWithoutRef<"div"> {
  /** `page` also centres and has the margins of the screen. */
  width: keyof typeof styles.column;
}

/** Limits lines to a readable length. */
export function Column({ width, className, ...rest }: ColumnProps) {
  return (
    <div {...rest} className={joinClasses(styles.column[width], width === "page" && styles.pageMargins, className)} />
  );
}
