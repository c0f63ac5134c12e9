import { type SourceFile, UnreadableFile } from "./reading.ts";

/** A line such as `~name: value` in a block. */
export interface BruPair {
  name: string;
  value: string;
  enabled: boolean;
  line: number;
}

/** A block of a .bru file: `headers { … }`, or a list `vars:secret [ … ]`. */
export interface BruBlock {
  name: string;
  line: number;
  /** As in blocks of names and values. */
  pairs: BruPair[];
  /** Without the indent that the format adds. */
  text: string;
  list: string[];
}

const start = /^([a-zA-Z][\w:.-]*)\s*([{[])\s*$/;

/** Reads a file of Bruno: blocks that begin and end at the start of a line. */
export function readBlocks({ name: file, text }: SourceFile): BruBlock[] {
  const lines = text.split("\n");
  const blocks: BruBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === "" || /^\s*(#|\/\/)/.test(line)) continue;
    const [, name, bracket] = start.exec(line) ?? [];
    if (name === undefined)
      throw new UnreadableFile(file, index + 1, `Expected a block such as “headers {”, found “${line.slice(0, 40)}”.`);
    const end = findEnd(lines, index + 1, bracket === "{" ? "}" : "]");
    if (end < 0) throw new UnreadableFile(file, index + 1, `The block ${name} has no end.`);
    const inner = lines.slice(index + 1, end);
    blocks.push({
      ...{ name, line: index + 1 },
      pairs: bracket === "{" ? readPairs(inner, index + 2) : [],
      text: inner.map((one) => one.replace(/^ {1,2}/, "")).join("\n"),
      list: bracket === "[" ? inner.map((one) => one.trim().replace(/,$/, "")).filter(Boolean) : [],
    });
    index = end;
  }
  return blocks;
}

const findEnd = (lines: readonly string[], from: number, bracket: string) =>
  lines.findIndex((line, index) => index >= from && line.trimEnd() === bracket);

function readPairs(lines: readonly string[], firstLine: number): BruPair[] {
  const pairs: BruPair[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    // A line of a name in quotes may hold colons.
    const [, off, quoted, plain, value = ""] =
      /^\s*(~?)(?:"((?:[^"\\]|\\.)*)"|([^:]+?))\s*:\s?(.*)$/.exec(lines[index]!) ?? [];
    const name = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (name === undefined) continue;
    const pair = { name: name.trim(), value: value.trim(), enabled: off === "", line: firstLine + index };
    if (pair.value.startsWith("'''")) {
      const more = [pair.value.slice(3)];
      while (!more.at(-1)!.trimEnd().endsWith("'''") && index + 1 < lines.length) {
        index += 1;
        more.push(lines[index]!.replace(/^ {1,4}/, ""));
      }
      pair.value = more.join("\n").trimEnd().replace(/'''$/, "").trim();
    }
    pairs.push(pair);
  }
  return pairs;
}
