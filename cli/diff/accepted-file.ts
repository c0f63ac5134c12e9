import { readFile } from "node:fs/promises";
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { toAnnotation } from "../report/annotations.ts";

export const defaultAcceptedFile = ".assurance/accepted.yaml";

/** A change that was accepted, with its reason and end. */
export interface Acceptance {
  rule: string;
  /** "GET /books" */
  operation: string;
  /** The sentence of the change or a part of it; without one, every change of the operation by the rule. */
  change?: string;
  reason: string;
  /** The last day on which it holds, in UTC: 2027-01-31. */
  until: string;
}

/** An acceptance in its file. */
export type WrittenAcceptance = Acceptance & { line: number };

export interface AcceptedFile {
  path: string;
  /** Undefined if there is no file yet. */
  text: string | undefined;
  acceptances: WrittenAcceptance[];
}

/**
 * Reads the acceptances of a file.
 * @param path undefined for the usual one, which may be missing
 * @param today as 2027-01-31
 * @throws CommandError if it is missing or no YAML, and for acceptances that lack something or are over, each at its line
 */
export async function readAcceptedFile(
  path: string | undefined,
  today: string,
  mayBeMissing: boolean,
): Promise<AcceptedFile> {
  const file = path ?? defaultAcceptedFile;
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && (path === undefined || mayBeMissing)) return undefined;
    const reason = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new CommandError(exitCodes.usage, `${file} can't be read: ${reason}.`);
  });
  const { acceptances, errors } = parseAcceptances(text ?? "", today);
  if (errors.length > 0) throw toError(file, errors);
  return { path: file, text, acceptances };
}

interface FileError {
  line: number;
  message: string;
}

/**
 * Acceptances of a text, and what is wrong with it.
 * @param today as 2027-01-31; what ended before is an error
 */
export function parseAcceptances(
  text: string,
  today: string,
): { acceptances: WrittenAcceptance[]; errors: FileError[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (offset = 0) => lines.linePos(offset).line;
  const acceptances: WrittenAcceptance[] = [];
  const errors = document.errors.map(({ pos, code, message }) => ({
    line: lineOf(pos[0]),
    message: code === "MULTIPLE_DOCS" ? "The file has a second document." : message.replace(/ at line[\s\S]*$/, "."),
  }));
  if (errors.length > 0) return { acceptances, errors };
  for (const item of listItems(document, (message, node) => errors.push({ line: lineOf(node?.range?.[0]), message }))) {
    const line = lineOf(item.range?.[0]);
    const acceptance = readAcceptance(item, today, (message, node) =>
      errors.push({ line: node ? lineOf(node.range?.[0]) : line, message }),
    );
    if (acceptance) acceptances.push({ ...acceptance, line });
  }
  return { acceptances, errors };
}

/** In a job of GitHub Actions, the errors are also shown at their lines. */
function toError(file: string, errors: readonly FileError[]): CommandError {
  if (process.env.GITHUB_ACTIONS === "true")
    for (const { line, message: text } of errors) {
      const at = { file, line, column: 1 };
      process.stdout.write(toAnnotation({ level: "error", at, title: "An acceptance is wrong", text }));
    }
  const list = errors.map(({ line, message }) => `${file}:${line}  ${message}`);
  return new CommandError(exitCodes.usage, list.join("\n"));
}

type ReportError = (message: string, node?: Node) => void;

function listItems({ contents }: Document.Parsed, report: ReportError): YAMLMap[] {
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) {
    report('The file has a list called "accepted".', contents);
    return [];
  }
  for (const { key } of contents.items) {
    const name = isScalar(key) ? key.value : undefined;
    if (name !== "accepted") report(`"${name}" is not known; the file has a list called "accepted".`, key as Node);
  }
  const list = contents.get("accepted", true) as Node | undefined;
  if (list === undefined || (isScalar(list) && list.value === null)) return [];
  if (!isSeq(list)) {
    report('"accepted" is a list.', list);
    return [];
  }
  return list.items.flatMap((item) => {
    if (isMap(item)) return [item];
    report("An acceptance has rule, operation, reason and until.", item as Node);
    return [];
  });
}

const known = ["rule", "operation", "change", "reason", "until"] as const;

function readAcceptance(item: YAMLMap, today: string, report: ReportError): Acceptance | undefined {
  let isRight = true;
  const refuse = (message: string, node?: Node) => {
    isRight = false;
    report(message, node);
  };
  const values: Partial<Record<(typeof known)[number], string>> = {};
  for (const { key, value } of item.items) {
    const name = isScalar(key) ? String(key.value) : "";
    const member = known.find((one) => one === name);
    if (!member) refuse(`"${name}" is not known; an acceptance has ${known.join(", ")}.`, key as Node);
    else if (isScalar(value) && typeof value.value === "string" && value.value.trim() !== "")
      values[member] = value.value.trim();
    else if (!isScalar(value) || value.value !== null) refuse(`"${name}" is a text.`, key as Node);
  }
  for (const name of known) {
    if (values[name] === undefined && name !== "change") refuse(`The acceptance has no ${name}.`);
  }
  const { until } = values;
  if (until !== undefined && !isDay(until)) refuse(`"until" is a day such as 2027-01-31, not ${until}.`);
  else if (until !== undefined && until < today)
    refuse(`The acceptance of ${values.rule} at ${values.operation} ended on ${until}. Remove it, or decide again.`);
  return isRight ? (values as Acceptance) : undefined;
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
