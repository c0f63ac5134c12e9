import { RE2JS } from "re2js";

/** A compiled regular expression with matching time linear in its input, whoever wrote it. */
export interface Pattern {
  /** Whether any part of the text matches. */
  test(text: string): boolean;
  /** Whether the whole text matches. */
  testWhole(text: string): boolean;
  /** The first group of the first match, or the whole match without groups; undefined without a match. */
  find(text: string): string | undefined;
}

/** The pattern cannot be used; `message` is a sentence for its author. */
export class UnsupportedPattern extends Error {
  override readonly name = "UnsupportedPattern";
}

export interface PatternLimits {
  maximumLength: number;
  /** Instructions of the compiled program: the worst-case cost of a match per character. */
  maximumProgramSize: number;
}

/** For patterns in documents, which are longer than those in assertions. */
export const documentPatternLimits: PatternLimits = { maximumLength: 10_000, maximumProgramSize: 20_000 };
const assertionLimits: PatternLimits = { maximumLength: 1_000, maximumProgramSize: 5_000 };

function describeCompileError(error: unknown): string {
  const message = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
  if (/`\(\?[=!]/.test(message)) return "lookahead is not supported";
  if (/`\(\?<[=!]/.test(message)) return "lookbehind is not supported";
  if (/invalid escape sequence: `\\\d/.test(message)) return "backreferences are not supported";
  return message.replace(/`/g, "");
}

/**
 * Compiles a regular expression with RE2: no backtracking, so no pattern can block a thread for long. Accepts ECMA-262
 * syntax such as `\/` and `\u0041`.
 * @throws UnsupportedPattern when it is malformed, uses syntax that RE2 lacks, or exceeds the limits
 */
export function compilePattern(source: string, limits: PatternLimits = assertionLimits): Pattern {
  if (source.length > limits.maximumLength) {
    throw new UnsupportedPattern(
      `Unsupported pattern: it has ${source.length} characters, at most ${limits.maximumLength} are taken.`,
    );
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    throw new UnsupportedPattern(`Unsupported pattern: ${describeCompileError(error)}.`);
  }
  if (compiled.programSize() > limits.maximumProgramSize) {
    throw new UnsupportedPattern("Unsupported pattern: its repetitions make it too large.");
  }
  return {
    test: (text) => compiled.test(text),
    testWhole: (text) => compiled.testExact(text),
    find(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      return (compiled.groupCount() > 0 ? matcher.group(1) : matcher.group(0)) ?? undefined;
    },
  };
}
