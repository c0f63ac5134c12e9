import { type Document, isMap, isScalar, isSeq, LineCounter, type Node } from "yaml";
import { parseYaml } from "#libraries/yaml/yaml-text.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { toAnnotation } from "../report/annotations.ts";

export type Pointer = readonly (string | number)[];

/** A file in which parts are located. */
export interface LocatedText {
  /** As messages name it: from the working directory. */
  name: string;
  text: string;
}

/** Documents take much more memory than their values: only those of which a line is wanted are kept. */
const parsed = new WeakMap<LocatedText, { document: Document.Parsed; lines: LineCounter }>();

function parse(file: LocatedText) {
  const known = parsed.get(file);
  if (known) return known;
  const lines = new LineCounter();
  const found = { document: parseYaml(file.text, { lineCounter: lines }), lines };
  parsed.set(file, found);
  return found;
}

/** What is wrong in a file, at its line. */
export interface FileError {
  file: string;
  /** From 1. */
  line: number;
  message: string;
}

/** The line of a part of a file; of one that isn't there, that of its nearest ancestor. */
export function locate(file: LocatedText, pointer: Pointer): number {
  const { document, lines } = parse(file);
  let node = document.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const name of pointer) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name));
      if (!pair) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      const item = node.items[Number(name)] as Node | undefined;
      if (!item) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return lines.linePos(offset).line;
}

/** "request.query[0].value" as its names; a name may have any characters but these. */
export function toPointer(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? name! : Number(index),
  );
}

/** In a job of GitHub Actions, the errors are also shown at their lines. */
export function toCommandError(unsorted: readonly FileError[]): CommandError {
  const errors = [...unsorted].sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
  if (process.env.GITHUB_ACTIONS === "true")
    for (const { file, line, message: text } of errors) {
      const at = { file, line, column: 1 };
      process.stdout.write(toAnnotation({ level: "error", at, title: "Assurance as code", text }));
    }
  const shown = errors.slice(0, maxErrors).map(({ file, line, message }) => `${file}:${line}  ${message}`);
  const left = errors.length - shown.length;
  return new CommandError(exitCodes.usage, [...shown, ...(left > 0 ? [`and ${left} more.`] : [])].join("\n"));
}

const maxErrors = 100;
