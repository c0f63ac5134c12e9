import { Problem } from "#contracts/kit/problem.ts";

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
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const latestMilliseconds = 8.64e15;

/** What a list may be in order of. Positions are integers of four bytes, moments `infinity` where there is none. */
const fits = {
  text: (value: unknown) => typeof value === "string",
  id: (value: unknown) => id.test(String(value)),
  moment: (value: unknown) =>
    value === "infinity" || (moment.test(String(value)) && !Number.isNaN(Date.parse(String(value)))),
  milliseconds: (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) <= latestMilliseconds,
  position: (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
};
export type CursorKind = keyof typeof fits;

/**
 * A cursor somebody made up must not reach a cast that fails.
 * @throws Problem malformed_request unless its values are of these kinds
 */
export function readCursor(text: string, kinds: readonly CursorKind[]): CursorValues {
  const values = decodeCursor(text, kinds.length);
  if (kinds.every((kind, index) => fits[kind](values[index]))) return values;
  throw refuseCursor();
}

/** Of a list by id. */
export const readIdCursor = (text: string): string => String(readCursor(text, ["id"])[0]);

/** Of a list whose rows are numbered. */
export const readPositionCursor = (text: string): number => Number(readCursor(text, ["position"])[0]);

/** Of a list by a moment and an id. */
export function readMomentCursor(text: string): { moment: string; id: string } {
  const [of, given] = readCursor(text, ["moment", "id"]);
  return { moment: String(of), id: String(given) };
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
