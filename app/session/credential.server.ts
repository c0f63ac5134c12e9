import type { Submission, SubmissionResult } from "@conform-to/dom";
import { z } from "zod";
import type { ProblemDetails } from "#contracts/kit/problem.ts";

const notAccepted = "This passkey was not accepted. Try again.";

/** A device's response, as the script puts it into a form. */
export function credentialIn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string({ error: notAccepted })
    .max(60_000, notAccepted)
    .transform((text, { addIssue }) => {
      try {
        const read = schema.safeParse(JSON.parse(text));
        if (read.success) return read.data;
      } catch {
        // Reported below.
      }
      addIssue(notAccepted);
      return z.NEVER;
    });
}

/** A credential has no visible field, so its errors are shown above the form. */
export function saidAtForm(
  submission: Submission<unknown>,
  problem?: Pick<ProblemDetails, "errors" | "detail">,
): SubmissionResult {
  if (!problem) return submission.reply({ formErrors: [notAccepted] });
  return submission.reply({ formErrors: problem.errors?.map(({ message }) => message) ?? [problem.detail] });
}
