import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Json } from "../json/json.ts";
import { splitJson } from "../json/json-texts.ts";
import { UnsupportedPattern } from "../pattern/pattern.ts";
import { Unjudgeable, type UnjudgeableCode } from "./judged-response.ts";

/** A verification before it is stored: the reason why it could not be judged goes into the verdict's cause. */
export type JudgedVerification = Verification & { code?: UnjudgeableCode };

type Outcome = Verification["outcome"];

/** The result of an evaluation, without the verification's source. */
export interface Evaluation {
  outcome: Outcome;
  message: string;
  actual?: unknown;
  actualJson?: string;
  target?: unknown;
  pointer?: string;
  schemaErrors?: Verification["schemaErrors"];
  schema?: unknown;
}

/** The actual value, with its JSON text where doubles would be written differently. */
export function shownActual(value: Json): Pick<Evaluation, "actual" | "actualJson"> {
  const { plain, text } = splitJson(value);
  return { actual: plain, ...(text === undefined ? {} : { actualJson: text }) };
}

/** Turns an error that may end one evaluation into the `errored` outcome; other errors are bugs and are rethrown. */
export function judgeSafely(
  asked: Pick<JudgedVerification, "kind" | "source">,
  evaluate: () => Evaluation,
): JudgedVerification {
  try {
    const evaluation = evaluate();
    return { ...asked, ...evaluation, passed: evaluation.outcome === "passed" };
  } catch (error) {
    if (error instanceof Unjudgeable) return errored(asked, error.code, error.message);
    if (error instanceof UnsupportedPattern) return errored(asked, "unsupported_pattern", error.message);
    // Recursion deeper than the stack, by a value or a schema: as unbounded as one that takes too long.
    if (error instanceof RangeError) return errored(asked, "too_costly", "This was too deep to be judged.");
    throw error;
  }
}

export function errored(
  asked: Pick<JudgedVerification, "kind" | "source">,
  code: UnjudgeableCode,
  message: string,
): JudgedVerification {
  return { ...asked, outcome: "errored", passed: false, message, code };
}
