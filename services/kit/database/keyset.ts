import { Problem } from "../problem/problem.ts";

/** The sort values and id of the last row shown; opaque to callers. */
export type CursorValues = (string | number | null)[];

export function encodeCursor(values: CursorValues): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

function refuseCursor(): Problem {
  return new Problem("malformed_request", "The cursor is not one this list gave out.");
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
  throw refuseCursor();
}

const id = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const moment = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|infinity)$/;

/** Of a list by id. A cursor somebody made up must not reach a cast that fails. */
export function readIdCursor(text: string): string {
  const [given] = decodeCursor(text, 1);
  if (id.test(String(given))) return String(given);
  throw refuseCursor();
}

/** Of a list by a moment (`infinity` where there is none) and an id. */
export function readMomentCursor(text: string): { moment: string; id: string } {
  const [of, given] = decodeCursor(text, 2);
  if (moment.test(String(of)) && id.test(String(given))) return { moment: String(of), id: String(given) };
  throw refuseCursor();
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
