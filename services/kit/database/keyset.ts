import { Problem } from "#contracts/kit/problem.ts";

/** The sort values and id of the last row of a page; opaque to callers. */
export type CursorValues = (string | number | null)[];

export function encodeCursor(values: CursorValues): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

function refuseCursor(): Problem {
  return new Problem("malformed_request", "The cursor is not one this list gave out.");
}

/** @throws Problem malformed_request when the text is not a valid cursor */
export function decodeCursor(text: string, length: number): CursorValues {
  try {
    const values = JSON.parse(Buffer.from(text, "base64url").toString()) as CursorValues;
    const plain = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";
    if (Array.isArray(values) && values.length === length && values.every(plain)) return values;
  } catch {
    // Every unusable cursor gets the same response below.
  }
  throw refuseCursor();
}

const id = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const latestMilliseconds = 8.64e15;

/** Sort keys of lists. Positions are four-byte integers, moments may be `infinity`. */
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
 * A forged cursor must not reach a cast that fails.
 * @throws Problem malformed_request unless its values are of these kinds
 */
export function readCursor(text: string, kinds: readonly CursorKind[]): CursorValues {
  const values = decodeCursor(text, kinds.length);
  if (kinds.every((kind, index) => fits[kind](values[index]))) return values;
  throw refuseCursor();
}

/** Cursor of a list sorted by id. */
export const readIdCursor = (text: string): string => String(readCursor(text, ["id"])[0]);

/** Cursor of a list with numbered rows. */
export const readPositionCursor = (text: string): number => Number(readCursor(text, ["position"])[0]);

/** Cursor of a list sorted by a moment and an id. */
export function readMomentCursor(text: string): { moment: string; id: string } {
  const [of, given] = readCursor(text, ["moment", "id"]);
  return { moment: String(of), id: String(given) };
}

/** Removes the row read beyond the page and returns the cursor of the next page. */
export function pageFrom<Row, Item>(
  rows: Row[],
  limit: number,
  getCursor: (row: Row) => CursorValues,
  toItem: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const displayed = rows.slice(0, limit);
  const last = displayed.at(-1);
  return {
    items: displayed.map(toItem),
    nextCursor: rows.length > limit && last ? encodeCursor(getCursor(last)) : null,
  };
}

/** A user's search words as a LIKE pattern: `%` and `_` are escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
