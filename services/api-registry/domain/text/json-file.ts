import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { isRecord } from "#libraries/json/json-value.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { type Diagnostics, quoted, refuse } from "../diagnostics.ts";
import type { ImportLimits } from "../limits.ts";
import { toTokens } from "../references/pointer.ts";
import { mayHaveRounded, rememberDigits } from "./exact-numbers.ts";
import { measureJson, visitJson } from "./json-scan.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { Lines, type Position, type RequestedPointer, requestedPointer } from "./positions.ts";

/**
 * Parses JSON with the engine's own parser; positions are looked up in the text only for values with problems.
 * A syntax tree of a 20 MB document would cost ten times its size.
 */
export function parseJsonFile(text: string, file: string, limits: ImportLimits, diagnostics: Diagnostics): ParsedFile {
  const lines = new Lines(text);
  const measure = measureJson(text, limits.depth);
  if (measure.tooDeepAt !== undefined) {
    refuse(`The document is nested deeper than ${limits.depth} levels here.`, {
      file,
      ...lines.toPosition(measure.tooDeepAt),
    });
  }
  if (measure.values > limits.nodes) refuse(`The document has more than ${limits.nodes} values.`, { file });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    refuseSyntax(text, file, lines, error as Error);
  }
  if (countKeys(value) < measure.keys) reportRepeatedKeys(text, file, lines, diagnostics);
  return {
    format: "json",
    value: mayHaveRounded(text) ? withDigits(text, value) : value,
    locate: (pointers) => locate(text, lines, pointers),
    writtenAs: () => undefined,
    nodes: measure.values,
  };
}

/** Parses again, which takes a few times as long, so only where a number may be rounded. */
function withDigits(text: string, value: unknown): unknown {
  try {
    return rememberDigits(parseJson(text));
  } catch (error) {
    // Nested deeper than is parsed exactly.
    if (error instanceof UnreadableJson) return value;
    throw error;
  }
}

const syntaxAdvice: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  CommaExpected: "There is no comma between two members.",
  ColonExpected: "There is no colon after a member's name.",
  PropertyNameExpected: 'A member\'s name in double quotes is expected here; look for a comma too many before "}".',
  ValueExpected: "A value is expected here; look for a comma too many.",
  CloseBraceExpected: 'A "}" is missing.',
  CloseBracketExpected: 'A "]" is missing.',
  EndOfFileExpected: "There is text after the end of the document.",
  UnexpectedEndOfString: "A string is not closed with a double quote.",
  InvalidSymbol: "This word is not JSON; text goes into double quotes.",
  InvalidCommentToken: "JSON has no comments.",
  InvalidCharacter: "There is a control character inside a string; write it as an escape.",
  InvalidEscapeCharacter: "This backslash escape does not exist in JSON.",
  InvalidUnicode: "A \\u escape needs four hexadecimal digits.",
};

function refuseSyntax(text: string, file: string, lines: Lines, error: Error): never {
  let first: { code: ParseErrorCode; offset: number } | undefined;
  visit(
    text,
    {
      onError: (code, offset) => {
        first ??= { code, offset };
      },
    },
    { disallowComments: true },
  );
  if (!first) return refuse(`The JSON can't be read: ${error.message}.`, { file, line: 1, column: 1 });
  const advice = syntaxAdvice[printParseErrorCode(first.code)] ?? "This is not JSON.";
  return refuse(`The JSON can't be read from here on. ${advice}`, { file, ...lines.toPosition(first.offset) });
}

function countKeys(root: unknown): number {
  let count = 0;
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object" && item !== null) waiting.push(item);
    } else if (isRecord(value)) {
      for (const key in value) {
        count += 1;
        const member = value[key];
        if (typeof member === "object" && member !== null) waiting.push(member);
      }
    }
  }
  return count;
}

function reportRepeatedKeys(text: string, file: string, lines: Lines, diagnostics: Diagnostics): void {
  visitJson<{ pointer: string; seen: Set<string> }>(
    text,
    { pointer: "", seen: new Set() },
    {
      enter({ pointer, seen }, key, offset) {
        const own = `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
        if (typeof key === "string") {
          if (seen.has(key)) {
            diagnostics.add({
              severity: "warning",
              message: `${quoted(key)} is given twice in this object; only the last one is used. Remove one of them.`,
              inGeneral: "A name is given twice in one object; only the last one is used. Remove one of them.",
              at: { file, pointer: own, ...lines.toPosition(offset) },
            });
          }
          seen.add(key);
        }
        return { pointer: own, seen: new Set() };
      },
    },
  );
}

function locate(text: string, lines: Lines, pointers: readonly string[]): Map<string, Position> {
  const root = requestedPointer();
  for (const pointer of pointers) {
    let node = root;
    for (const token of toTokens(pointer)) {
      const child = node.children.get(token) ?? requestedPointer();
      node.children.set(token, child);
      node = child;
    }
  }
  root.offset = Math.max(0, text.search(/\S/));
  visitJson<RequestedPointer>(text, root, {
    enter(context, key, offset) {
      const child = context.children.get(String(key));
      if (child) child.offset = offset;
      return child;
    },
  });
  return new Map(pointers.map((pointer) => [pointer, lines.toPosition(nearestOffset(root, pointer))]));
}

function nearestOffset(root: RequestedPointer, pointer: string): number {
  let node: RequestedPointer | undefined = root;
  let offset = root.offset ?? 0;
  for (const token of toTokens(pointer)) {
    node = node?.children.get(token);
    if (node?.offset === undefined) break;
    offset = node.offset;
  }
  return offset;
}
