import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

export interface JsonFault {
  /** Offset in characters from 0. */
  offset: number;
  length: number;
  line: number;
  column: number;
  /** In words, such as "a comma is missing". */
  reason: string;
}

const reasons: Record<string, string> = {
  InvalidSymbol: "this word is not JSON",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a name in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "there is more after the end",
  InvalidCommentToken: "comments are not JSON",
  UnexpectedEndOfComment: "comments are not JSON",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is not finished",
  InvalidUnicode: "this is not a Unicode escape",
  InvalidEscapeCharacter: "this escape does not exist",
  InvalidCharacter: "this character has to be escaped",
};

/**
 * JSON with each `{{variable}}` replaced by a number of the same length, so that offsets are preserved: a variable may
 * replace a whole value, and within a string the number does no harm.
 */
export function withoutVariables(text: string): string {
  return text.replace(/\{\{[^{}\r\n]+\}\}/g, (variable) => "0".padEnd(variable.length));
}

/** Everything that makes a text invalid JSON, in order. An empty text is accepted: nothing was written yet. */
export function findJsonFaults(text: string): JsonFault[] {
  if (text.trim() === "") return [];
  const errors: ParseError[] = [];
  parseTree(withoutVariables(text), errors, { disallowComments: true, allowTrailingComma: false });
  return errors.map(({ error, offset, length }) => {
    const before = text.slice(0, offset).split("\n");
    return {
      offset,
      length,
      line: before.length,
      column: before.at(-1)!.length + 1,
      reason: reasons[printParseErrorCode(error)] ?? "this is not JSON",
    };
  });
}

/** The warning at a body that does not parse; it may be intended, so it is no error. */
export function jsonWarning(text: string): string | undefined {
  const [first] = findJsonFaults(text);
  return first && `Not valid JSON (line ${first.line}, column ${first.column}: ${first.reason}). It is sent as is.`;
}
