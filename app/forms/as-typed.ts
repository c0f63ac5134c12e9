import { parse, type SubmissionResult } from "@conform-to/dom";

/** A form as typed, without validation: to show it again after a button that saves nothing. */
export function asTyped(form: FormData): SubmissionResult {
  const { initialValue, state } = parse(form, { resolve: () => ({ error: {} }) }).reply();
  return { initialValue, state };
}
