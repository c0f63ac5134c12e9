import type { Submission, SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { z } from "zod";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { readForm } from "~/forms/read-form.server";

/** Parses a form with its schema; the typed values stay in the submission, to show it again. */
export async function parseSubmission<Schema extends z.ZodType>(request: Request, schema: Schema) {
  return parseForm(await readForm(request), schema);
}

/** The same for a form of which more is needed than the schema's fields. */
export function parseForm<Schema extends z.ZodType>(form: FormData, schema: Schema) {
  return parseWithZod(form, { schema });
}

/**
 * The response to a rejected form: 422 (or the service's status), the input kept, errors by field.
 * @param problem the service's refusal; its `errors` name fields by the same paths as the form.
 */
export function rejected<Value>(
  submission: Submission<Value>,
  problem?: Pick<ProblemDetails, "status" | "detail" | "errors">,
) {
  const reply: SubmissionResult = problem
    ? submission.reply({ formErrors: getFormErrors(problem), fieldErrors: getFieldErrors(problem) })
    : submission.reply();
  return data(reply, { status: problem?.status ?? 422 });
}

function getFieldErrors({ errors = [] }: Pick<ProblemDetails, "errors">): Record<string, string[]> {
  const byField: Record<string, string[]> = {};
  for (const { path, message } of errors) if (path) byField[path] = [...(byField[path] ?? []), message];
  return byField;
}

function getFormErrors({ errors = [], detail }: Pick<ProblemDetails, "errors" | "detail">): string[] {
  const general = errors.filter(({ path }) => !path).map(({ message }) => message);
  return errors.length === 0 ? [detail] : general;
}
