import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import type { Viewer } from "~/session/guards";
import { type RequestError, readRequest } from "./request-values";

export interface SentRequestOutcome {
  faults: RequestError[];
  attempt?: Omit<Attempt, "verdict">;
  /** Why the request could not be sent. */
  refusal?: string;
}

/** Sends the form's request through the executioner: nothing is stored, and secrets never reach the app. */
export async function sendFromForm(
  viewer: Viewer,
  answer: OperationWithComponents,
  form: FormData,
): Promise<SentRequestOutcome> {
  const { request, faults } = readRequest(answer, form);
  if (faults.length > 0) return { faults };
  const { method, path } = answer.operation;
  const chosen = await findEnvironmentInUse(viewer, answer.apiId);
  const sent = await viewer.backend.testExecutioner.sendRequest({
    body: { apiId: answer.apiId, method, path, request, environment: chosen?.name },
  });
  if (sent.ok) return { faults, attempt: sent.value };
  const details = sent.problem.errors?.map(({ message }) => message) ?? [];
  return { faults, refusal: [sent.problem.detail, ...details].join(" ") };
}

/** The submitted text fields, for rendering the form again. */
export function typedValues(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}
