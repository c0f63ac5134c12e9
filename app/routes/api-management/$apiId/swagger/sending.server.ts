import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { storeUploads } from "~/features/request-files/uploads.server";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import type { UploadForm } from "~/forms/read-upload-form.server";
import type { Viewer } from "~/session/guards";
import type { RequestError } from "./request-body";
import { uploadField } from "./request-files";
import { readRequest } from "./request-values";

export interface SentRequestOutcome {
  errors: RequestError[];
  attempt?: Omit<Attempt, "verdict">;
  /** Why the request could not be sent. */
  refusal?: string;
}

/**
 * Sends the form's request through the executioner: nothing but its files is stored, and secrets never reach the app.
 * References to the files replace them in the form.
 */
export async function sendFromForm(
  viewer: Viewer,
  result: OperationWithComponents,
  upload: UploadForm,
): Promise<SentRequestOutcome> {
  const uploads = await storeUploads(upload, viewer, uploadField);
  const { request, errors } = readRequest(result, upload.form);
  // A file that could not be stored is not reported as missing.
  const faults = [
    ...uploads.map(({ path, message }) => ({ field: path, message })),
    ...errors.filter(({ field }) => !uploads.some(({ path }) => path === field)),
  ];
  if (faults.length > 0) return { errors: faults };
  const { method, path } = result.operation;
  const chosen = await findEnvironmentInUse(viewer, result.apiId);
  const sent = await viewer.backend.testExecutioner.sendRequest({
    body: { apiId: result.apiId, method, path, request, environment: chosen?.name },
  });
  if (sent.ok) return { errors: faults, attempt: sent.value };
  const details = sent.problem.errors?.map(({ message }) => message) ?? [];
  return { errors: faults, refusal: [sent.problem.detail, ...details].join(" ") };
}

/** The submitted text fields, for rendering the form again. */
export function typedValues(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}
