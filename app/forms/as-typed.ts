import { parse, type SubmissionResult } from "@conform-to/dom";

/** A form as it was typed, without a judgement: for showing it again after a press of a button that saves nothing. */
export function asTyped(form: FormData): SubmissionResult {
  const { initialValue, state } = parse(form, { resolve: () => ({ error: {} }) }).reply();
  return { initialValue, state };
}
