import { type ComponentPropsWithoutRef, type ReactNode, useId } from "react";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./table.css";

export type SortDirection = "ascending" | "descending";

export interface Column<Row> {
  key: string;
  /** Plain words: they also label the value when rows are stacked on a narrow screen. */
  header: string;
  /** Keeps the header for screen readers only, as for a column of buttons. */
  headerHidden?: boolean;
  cell: (row: Row) => ReactNode;
  /** Of the cells, for a list that orders them in its own way on a narrow screen. */
  className?: string;
  /** The cell names its row. One column should have it. */
  rowHeader?: boolean;
  /** Aligned at the end with tabular figures. */
  numeric?: boolean;
  /** As narrow as its content. */
  tight?: boolean;
  /** A badge, a name: on a narrow screen it needs no label. */
  selfEvident?: boolean;
  /** Hidden on a narrow screen: the row's page has it too. */
  wideOnly?: boolean;
  /** A state, buttons: on a narrow screen at the end of the line of the row's name. */
  beside?: boolean;
  /** One line on a narrow screen: the row's page has all of it. */
  clipped?: boolean;
  /** The link that sorts by this column, and its current order. */
  sort?: { href: string; direction?: SortDirection };
}

export interface TableProps<Row> extends Omit<ComponentPropsWithoutRef<"div">, "children"> {
  /** Names the rows; read out first, visible unless `captionHidden`. */
  caption: string;
  captionHidden?: boolean;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Rows of one group follow each other under its name. Undefined: they are not grouped. */
  groupOf?: (row: Row) => string;
  /** `id` of a row, so that a link can jump to it. */
  rowId?: (row: Row) => string;
  /** Tone of a row's edge, for rows whose state needs attention; the row also says it as icon and word. */
  rowEdge?: (row: Row) => Tone | null | undefined;
  stickyHeader?: boolean;
  /** Without a frame, for a flush `Card`. */
  bare?: boolean;
}

/** Some browsers drop a table's semantics once CSS lays it out as blocks; explicit roles cost a few bytes. */
const roles = {
  table: "table",
  group: "rowgroup",
  row: "row",
  header: "columnheader",
  rowHeader: "rowheader",
  cell: "cell",
} as const;

/** By keyboard, longer tables can be skipped: each row has several links. */
const maxWithoutSkipping = 10;

const sortIcons: Record<SortDirection, IconName> = { ascending: "chevron-up", descending: "chevron-down" };

/** Rows of one kind. On narrow screens each row becomes a stack of labelled values. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, captionHidden, columns, rows, rowKey, rowId, rowEdge, groupOf, stickyHeader, bare, ...others } =
    props;
  const { className, ...rest } = others;
  const end = `${useId()}end`;
  const isLong = rows.length > maxWithoutSkipping;
  return (
    <div {...rest} className={joinClasses(styles.frame, !bare && styles.framed, className)}>
      {isLong && (
        <a href={`#${end}`} className={styles.skip}>
          Skip {rows.length} rows
        </a>
      )}
      <table className={styles.table} role={roles.table}>
        {captionHidden ? (
          <caption>
            <VisuallyHidden>{caption}</VisuallyHidden>
          </caption>
        ) : (
          <caption className={styles.caption}>{caption}</caption>
        )}
        <thead className={styles.head} role={roles.group}>
          <tr role={roles.row}>
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sticky={stickyHeader} />
            ))}
          </tr>
        </thead>
        {toGroups(rows, groupOf).map(({ name, rows: grouped }) => (
          <tbody key={name} className={styles.body} role={roles.group}>
            {name && (
              <tr className={styles.groupRow} role={roles.row}>
                <th scope="rowgroup" colSpan={columns.length} className={styles.groupName} role={roles.rowHeader}>
                  {name}
                </th>
              </tr>
            )}
            {grouped.map((row) => (
              <tr
                key={rowKey(row)}
                id={rowId?.(row)}
                className={joinClasses(styles.row, edgeClass(rowEdge?.(row)))}
                role={roles.row}
              >
                {columns.map((column) => bodyCell(column, row))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {isLong && <span id={end} tabIndex={-1} />}
    </div>
  );
}

const edgeClass = (tone: Tone | null | undefined) => tone && styles.edge[tone];

/** In the order of each group's first row; without a name where rows are not grouped. */
function toGroups<Row>(rows: readonly Row[], groupOf: TableProps<Row>["groupOf"]): { name: string; rows: Row[] }[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = groupOf?.(row) ?? "";
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return rows.length === 0 ? [{ name: "", rows: [] }] : [...groups].map(([name, grouped]) => ({ name, rows: grouped }));
}

function HeadCell<Row>({ column, sticky }: { column: Column<Row>; sticky: boolean | undefined }) {
  const { header, headerHidden, numeric, tight, sort } = column;
  return (
    <th
      scope="col"
      aria-sort={sort?.direction}
      className={joinClasses(
        styles.headCell,
        numeric && styles.numeric,
        tight && styles.tight,
        sticky && styles.sticky,
      )}
      role={roles.header}
    >
      {sort ? (
        <a href={sort.href} className={styles.sortLink} data-sorted={sort.direction}>
          {header}
          <Icon name={sort.direction ? sortIcons[sort.direction] : "sort"} width="12" height="12" />
        </a>
      ) : headerHidden ? (
        <VisuallyHidden>{header}</VisuallyHidden>
      ) : (
        header
      )}
    </th>
  );
}

/** Called rather than mounted: one component per cell would be most of the work of rendering a list. */
function bodyCell<Row>(column: Column<Row>, row: Row) {
  const {
    key,
    header,
    headerHidden,
    rowHeader,
    numeric,
    tight,
    selfEvident,
    wideOnly,
    beside,
    clipped,
    cell,
    className,
  } = column;
  if (rowHeader) {
    return (
      <th
        key={key}
        scope="row"
        className={joinClasses(styles.cell, styles.rowHeader, className)}
        role={roles.rowHeader}
      >
        {cell(row)}
      </th>
    );
  }
  return (
    <td
      key={key}
      data-label={headerHidden || selfEvident ? undefined : header}
      className={joinClasses(
        styles.cell,
        numeric && styles.numeric,
        tight && styles.tight,
        wideOnly && styles.wideOnly,
        beside && styles.beside,
        clipped && styles.clipped,
        className,
      )}
      role={roles.cell}
    >
      {cell(row)}
    </td>
  );
}
