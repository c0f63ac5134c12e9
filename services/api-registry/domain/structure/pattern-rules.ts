import { compilePattern, documentPatternLimits, UnsupportedPattern } from "#libraries/pattern/pattern.ts";
import { type DocumentLocation, quoted } from "../diagnostics.ts";
import type { Walk } from "./rule.ts";

const longestPattern = 10_000;

/** A pattern that is not a regular expression is an error; one that only RE2 does not support is a notice. */
export function validatePattern(pattern: string, at: DocumentLocation, { diagnostics }: Walk): void {
  if (pattern.length <= longestPattern && !isRegularExpression(pattern)) {
    diagnostics.error(at, `The pattern ${quoted(pattern)} is not a regular expression: ${reasonAgainst(pattern)}.`);
    return;
  }
  try {
    compilePattern(pattern, documentPatternLimits);
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    const reason = error.message.replace(/^Unsupported pattern: /, "").replace(/\.$/, "");
    diagnostics.notice(
      at,
      `The pattern ${quoted(pattern)} can't be checked here, so values are not held against it: ${reason}.`,
      `Some patterns can't be checked here, so values are not held against them: ${reason.replace(/^it has .*characters/, "they are too long")}.`,
    );
  }
}

function isRegularExpression(pattern: string): boolean {
  return reasonAgainst(pattern, "u") === undefined || reasonAgainst(pattern) === undefined;
}

/** Only parses: nothing is ever matched with the engine's own regular expressions. */
function reasonAgainst(pattern: string, flags = ""): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    const message = (error as Error).message;
    return message.slice(message.lastIndexOf(": ") + 2).toLowerCase();
  }
}
