import { isJsonObject } from "#libraries/json/json.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { writeJson } from "#libraries/json/write-json.ts";

export type DataRow = Record<string, string>;

export type ReadDataRows = { rows: DataRow[] | undefined; fault?: undefined } | { fault: string };

/**
 * Rows of values as people write them: CSV (RFC 4180) whose first line names the variables. Rows with different
 * variables, which a table can't represent, are written as a JSON list.
 */
export function writeDataRows(rows: readonly DataRow[] | undefined): string {
  if (!rows || rows.length === 0) return "";
  const names = Object.keys(rows[0]!);
  const alike = rows.every((row) => sameNames(Object.keys(row), names));
  const cells = [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))];
  // A text area normalizes line breaks, so other kinds have to be escaped.
  const tabular =
    alike && names.every(Boolean) && names.length > 0 && !cells.flat().some((cell) => cell.includes("\r"));
  if (rows.some((row) => Object.values(row).some(readStructure))) return writeNested(rows);
  if (!tabular) return JSON.stringify(rows, null, 2);
  return cells.map((line) => line.map((cell) => writeCell(cell, line.length === 1)).join(",")).join("\n");
}

/** One row a line, in which bodies are JSON and not texts with escaped quotes. */
function writeNested(rows: readonly DataRow[]): string {
  const lines = rows.map((row) => {
    const members = Object.entries(row).map(
      ([name, value]) => `${JSON.stringify(name)}: ${readStructure(value) ? value : JSON.stringify(value)}`,
    );
    return `  {${members.join(", ")}}`;
  });
  return `[\n${lines.join(",\n")}\n]`;
}

/** Whether a value is an object or a list, written as it would be read back. */
function readStructure(value: string): boolean {
  if (!/^[[{]/.test(value)) return false;
  try {
    return writeJson(parseJson(value)) === value;
  } catch (error) {
    if (error instanceof UnreadableJson) return false;
    throw error;
  }
}

/** Parses CSV, or a JSON list of objects. Empty text: the test is not repeated. */
export function readDataRows(text: string): ReadDataRows {
  if (text.trim() === "") return { rows: undefined };
  return /^\s*\[\s*[\]{]/.test(text) ? readJsonRows(text) : readCsvRows(text);
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

function writeCell(cell: string, alone: boolean): string {
  const needsQuotes = /[",\n]|^\s|\s$|^[[{]/.test(cell) || (alone && cell === "");
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function readJsonRows(text: string): ReadDataRows {
  const fault = { fault: 'Not a list of rows. Example: [{"name": "Tom"}, {"name": "Ann"}]' };
  try {
    const parsed = parseJson(text);
    if (!Array.isArray(parsed)) return fault;
    const rows: DataRow[] = [];
    for (const row of parsed) {
      if (!isJsonObject(row)) return fault;
      rows.push(
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? value : writeJson(value)]),
        ),
      );
    }
    return { rows };
  } catch (error) {
    if (error instanceof UnreadableJson) return fault;
    throw error;
  }
}

function readCsvRows(text: string): ReadDataRows {
  const [names, ...lines] = readCsv(text);
  if (!names?.every(Boolean)) return { fault: "Enter column names in the first line" };
  if (new Set(names).size < names.length) return { fault: "Two columns have the same name" };
  if (lines.length === 0) return { fault: "Add at least one line of values below the column names" };
  const wrong = lines.findIndex((line) => line.length !== names.length);
  if (wrong >= 0) {
    return { fault: `Row ${wrong + 1} has ${lines[wrong]!.length} values, but there are ${names.length} columns` };
  }
  return { rows: lines.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index]!]))) };
}

/** Cells by line; blank lines and the whitespace around unquoted cells are dropped. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /[^\S\n]*(?:"((?:[^"]|"")*)"[^\S\n]*|([^,\n]*))(,|\n|$)/y;
  while (cell.lastIndex < text.length) {
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    // Text after a closing quote is taken literally up to the next comma.
    if (end === undefined) return [[""]];
    line.push(quoted === undefined ? plain!.trim() : quoted.replaceAll('""', '"'));
    if (end === ",") {
      if (cell.lastIndex === text.length) line.push("");
      else continue;
    }
    if (line.length > 1 || line[0] !== "" || quoted !== undefined) lines.push(line);
    line = [];
  }
  return lines;
}
