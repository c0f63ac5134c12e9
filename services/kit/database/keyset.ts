import { Problem } from "../problem/problem.ts";

/** The sort values and id of the last row shown; opaque to callers. */
export type CursorValues = (string | number | null)[];

export function encodeCursor(values: CursorValues): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** @throws Problem malformed_request when the text is not one of our cursors. */
export function decodeCursor(text: string, length: number): CursorValues {
  try {
    const values = JSON.parse(Buffer.from(text, "base64url").toString()) as CursorValues;
    const plain = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";
    if (Array.isArray(values) && values.length === length && values.every(plain)) return values;
  } catch {
    // Falls through to the one answer for every unusable cursor.
  }
  throw new Problem("malformed_request", "The cursor is not one this list gave out.");
}

/** Cuts the row that was read beyond the page and says where the next page starts. */
export function pageFrom<Row, Item>(
  rows: Row[],
  limit: number,
  cursorOf: (row: Row) => CursorValues,
  toItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    nextCursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null,
  };
}

/** A user's search words as a LIKE pattern: `%` and `_` mean themselves. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
