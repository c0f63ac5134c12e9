import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type YAMLError,
} from "yaml";
import { type Diagnostics, refuse } from "../diagnostics.ts";
import type { ImportLimits } from "../limits.ts";
import { toTokens } from "../references/pointer.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { Lines, type Position } from "./positions.ts";
import { toJsonValues } from "./yaml-values.ts";

/**
 * Parses YAML 1.2 (core schema). Duplicate keys are checked here, because the library's own check compares every pair.
 * Costs about 0.3 s and 50 MB per megabyte.
 */
export function parseYamlFile(text: string, file: string, limits: ImportLimits, diagnostics: Diagnostics): ParsedFile {
  const lines = new Lines(text);
  const document = compose(text, file, limits, lines);
  if (!document) refuse("The document is empty: it holds only comments.", { file, line: 1, column: 1 });
  const [syntaxError] = document.errors;
  if (syntaxError) refuse(describeError(syntaxError), { file, ...lines.toPosition(syntaxError.pos[0]) });
  for (const warning of document.warnings.slice(0, 20)) {
    diagnostics.add({
      severity: "warning",
      message: `${firstSentence(warning.message)} It is read without the tag.`,
      at: { file, pointer: "", ...lines.toPosition(warning.pos[0]) },
    });
  }
  const { value, nodes } = toJsonValues(document, file, lines, limits, diagnostics);
  return {
    format: "yaml",
    value,
    nodes,
    locate: (pointers) => new Map(pointers.map((pointer) => [pointer, getPosition(document, lines, pointer)])),
    writtenAs: (pointer) => {
      const node = find(document, pointer).node;
      return isScalar(node) ? node.source : undefined;
    },
  };
}

/**
 * The library's composer recurses, and a deep enough tree ends the whole process ("RegExpCompiler Allocation failed").
 * So the syntax tree, which is built without recursion, is measured while it grows and composed only when it is flat
 * enough.
 */
function compose(text: string, file: string, limits: ImportLimits, lines: Lines): Document | undefined {
  const parser = new Parser();
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const documents: Document[] = [];
  const take = (token: CST.Token) => {
    for (const document of composer.next(token)) documents.push(document as Document);
  };
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) take(token);
    offset += lexeme.length;
    if (parser.stack.length > limits.depth + 3) {
      refuse(`The document is nested deeper than ${limits.depth} levels here.`, {
        file,
        ...lines.toPosition(Math.min(offset, text.length)),
      });
    }
  }
  for (const token of parser.end()) take(token);
  for (const document of composer.end()) documents.push(document as Document);
  const [first, second] = documents;
  if (second) {
    refuse('There is more than one YAML document in the file ("---"); keep one.', {
      file,
      ...lines.toPosition(second.range?.[0] ?? 0),
    });
  }
  return first;
}

const advice: Partial<Record<YAMLError["code"], string>> = {
  BAD_INDENT: "The indentation does not fit the lines around it.",
  TAB_AS_INDENT: "There is a tab in the indentation; YAML wants spaces.",
  MISSING_CHAR: "A character is missing, often a space after a colon or a closing quote or bracket.",
  MULTIPLE_DOCS: 'There is more than one YAML document in the file ("---"); keep one.',
  BLOCK_AS_IMPLICIT_KEY: "A nested value starts on the line of another key; a text with a colon needs quotes.",
  MULTILINE_IMPLICIT_KEY: "This line has no colon, or the key before it is not finished.",
  UNEXPECTED_TOKEN: "This is not expected here; texts with : # { } [ ] & * ! need quotes.",
  BAD_ALIAS: "A text that starts with * or & needs quotes.",
  BAD_DQ_ESCAPE: "This backslash escape does not exist in YAML; use single quotes.",
  BAD_SCALAR_START: "A text cannot start with this character; put it into quotes.",
};

function describeError(error: YAMLError): string {
  return `The YAML can't be read here. ${advice[error.code] ?? firstSentence(error.message)}`;
}

function firstSentence(message: string): string {
  const line = message.split("\n")[0]!.trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function find(document: Document, pointer: string): { node: Node | null; keyOffset: number } {
  let node = document.contents as Node | null;
  let keyOffset = node?.range?.[0] ?? 0;
  for (const token of toTokens(pointer)) {
    if (isMap(node)) {
      const pairs = node.items as Pair<Node, Node | null>[];
      const pair = pairs.find(({ key }) => isScalar(key) && (key.source === token || key.value === token));
      if (!pair) return { node: null, keyOffset };
      keyOffset = pair.key.range?.[0] ?? keyOffset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(token)] as Node | null | undefined;
      if (!item) return { node: null, keyOffset };
      keyOffset = item.range?.[0] ?? keyOffset;
      node = item;
    } else return { node: null, keyOffset };
  }
  return { node, keyOffset };
}

function getPosition(document: Document, lines: Lines, pointer: string): Position {
  return lines.toPosition(find(document, pointer).keyOffset);
}
