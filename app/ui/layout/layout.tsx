import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./layout.css";

export type Gap = keyof typeof styles.gap;

/** One below the other, with the same air between them. Parts have no margins of their own. */
export function Stack({ gap = "large", className, ...rest }: ComponentPropsWithoutRef<"div"> & { gap?: Gap }) {
  return <div {...rest} className={joinClasses(styles.stack, styles.gap[gap], className)} />;
}

export interface RowProps extends ComponentPropsWithoutRef<"div"> {
  gap?: Gap;
  place?: keyof typeof styles.rowPlace;
}

/** Side by side, wrapping where there is no room. */
export function Row({ gap = "small", place = "start", className, ...rest }: RowProps) {
  return <div {...rest} className={joinClasses(styles.row, styles.rowPlace[place], styles.gap[gap], className)} />;
}

export interface GridProps extends ComponentPropsWithoutRef<"div"> {
  gap?: Gap;
  /** Least width of a cell; as many stand in a row as fit. */
  cell?: keyof typeof styles.grid;
}

/** Equal cells: cards, figures. */
export function Grid({ gap = "large", cell = "medium", className, ...rest }: GridProps) {
  return <div {...rest} className={joinClasses(styles.grid[cell], styles.gap[gap], className)} />;
}

export interface ColumnProps extends ComponentPropsWithoutRef<"div"> {
  /** `page` also centres and keeps the margins of the screen. */
  width: keyof typeof styles.column;
}

/** Keeps lines at a readable length. */
export function Column({ width, className, ...rest }: ColumnProps) {
  return (
    <div {...rest} className={joinClasses(styles.column[width], width === "page" && styles.pageMargins, className)} />
  );
}
