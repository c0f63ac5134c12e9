/** Matches `{{name}}`. A new instance per caller, since a global expression stores its last position. */
export const placeholderPattern = () => /\{\{\s*(\$?[A-Za-z_][\w.-]*)\s*\}\}/g;

/** Names whose values are generated for each request. */
export const generatedNames = ["$uuid", "$guid", "$timestamp", "$isoTimestamp", "$randomInt"] as const;

/** The distinct names that a text uses, without generated ones. */
export function listPlaceholders(text: string): string[] {
  const names = new Set([...text.matchAll(placeholderPattern())].map((match) => match[1]!));
  for (const name of [...generatedNames, nothing]) names.delete(name);
  return [...names];
}

/** The variable of what is not sent. */
export const nothing = "$none";

/** A value that is nothing but this is not sent: the query parameter, header, cookie or form field is left out. */
export const nothingPlaceholder = `{{${nothing}}}`;

/** The column of a test's data rows that names the row; it is a variable like the others. */
export const rowNameColumn = "case";

/** A capture whose name ends with it has one name for each data row: `bookId#` of the second row is `bookId2`. */
const rowMark = "#";

/** The names of a capture in all rows of its test, of which there may be none. */
export function listNamesInRows(name: string, rowCount: number): string[] {
  if (!name.endsWith(rowMark) || rowCount === 0) return [nameInRow(name, null)];
  return Array.from({ length: rowCount }, (_, index) => nameInRow(name, index));
}

/** @param rowIndex from 0; null for a test without rows */
export function nameInRow(name: string, rowIndex: number | null): string {
  if (!name.endsWith(rowMark)) return name;
  return `${name.slice(0, -1)}${rowIndex === null ? "" : rowIndex + 1}`;
}
