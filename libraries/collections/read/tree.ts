import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isCollection, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node as YamlNode } from "yaml";
import type { Position } from "../collection.ts";
import { limits, type SourceFile, UnreadableFile } from "./reading.ts";

export type Path = readonly (string | number)[];
export type Members = Record<string, unknown>;

/** A JSON or YAML file with the line of each of its values. */
export interface Tree {
  file: string;
  value: unknown;
  /** Of the value, or of the nearest one around it. */
  at(path: Path): Position;
}

/** @throws UnreadableFile */
export function readTree({ name, text }: SourceFile): Tree {
  requireShallow(name, text);
  return /^\s*[{[]/.test(text) ? readJson(name, text) : readYaml(name, text);
}

/** Recursive parsers would exhaust the stack. Brackets in texts count as well, which no file of people reaches. */
function requireShallow(file: string, text: string): void {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > limits.depth) throw new UnreadableFile(file, 0, `It is nested more than ${limits.depth} levels deep.`);
  }
}

function readJson(file: string, text: string): Tree {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const starts = lineStarts(text);
  const [error] = errors;
  if (error || !root) {
    const said = error
      ? printParseErrorCode(error.error)
          .replace(/([a-z])([A-Z])/g, "$1 $2")
          .toLowerCase()
      : "empty";
    throw new UnreadableFile(file, lineOf(starts, error?.offset ?? 0), `It is not JSON: ${said}.`);
  }
  return {
    file,
    value: getNodeValue(root),
    at: (path) => ({ file, line: lineOf(starts, nearestJson(root, path).offset) }),
  };
}

function nearestJson(root: Node, path: Path): Node {
  let node = root;
  for (const step of path) {
    const next = findNodeAtLocation(node, [step]);
    if (!next) return node;
    node = next;
  }
  return node;
}

function readYaml(file: string, text: string): Tree {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const line = error.linePos?.[0].line ?? lineCounter.linePos(error.pos[0]).line;
    throw new UnreadableFile(
      file,
      line,
      `It is not YAML: ${error.message.split("\n")[0]!.replace(/ at line.*$/, ".")}`,
    );
  }
  return {
    file,
    // Aliases of aliases would grow without bound.
    value: document.toJS({ maxAliasCount: 100 }) as unknown,
    at: (path) => ({ file, line: lineCounter.linePos(offsetOf(document.contents as YamlNode | null, path)).line }),
  };
}

function offsetOf(root: YamlNode | null, path: Path): number {
  let node = root;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    if (!isCollection(node)) break;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === step);
      offset = (pair?.key as YamlNode | undefined)?.range?.[0] ?? offset;
    }
    const next = isSeq(node) ? node.items[Number(step)] : node.get(step, true);
    if (!next) break;
    node = next as YamlNode;
    if (!isScalar(node)) offset = isMap(node) || isSeq(node) ? Math.max(offset, node.range?.[0] ?? 0) : offset;
  }
  return offset;
}

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) starts.push(index + 1);
  return starts;
}

/** The line, from 1, that an offset is in. */
export function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members of an object; none of anything else. */
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text as written; numbers and booleans as text; "" for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";
