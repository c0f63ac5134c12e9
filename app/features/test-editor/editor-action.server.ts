import { createHash } from "node:crypto";
import { INTENT } from "@conform-to/dom";
import { data } from "@remix-run/node";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { problemResponse, required } from "~/backend/responses";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import { runKeyField } from "~/features/runs/run-key";
import { readRunKey, startAndShow } from "~/features/runs/start-run.server";
import type { UploadForm } from "~/forms/read-upload-form.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { redirectWithToast } from "~/session/toast-message";
import type { CallResult } from "../../../services/kit/client/client.ts";
import { answerCurl } from "./curl-action.server.ts";
import { differencesBetween } from "./differences.ts";
import { type EditorSubmission, parseTestToSave, parseTestToSend } from "./editor-form.server.ts";
import type { EditorReply, RequestAddress } from "./editor-props.ts";
import { readTrial, resolveAddress, type SendingPlace, sendUnsaved } from "./sending.server.ts";
import type { Fault } from "./test-of-values.ts";
import { storeEditorUploads } from "./uploads.server.ts";

export interface EditorPlace extends SendingPlace {
  context: PortalContext;
  /** The stored test being edited; absent for a new test. */
  testId?: string;
}

/** The action of each button of the editor; returns the page again or redirects. */
export async function answerEditor(upload: UploadForm, place: EditorPlace) {
  const { form } = upload;
  const uploads = await storeEditorUploads(upload, place.viewer);
  const sections = /^[a-z -]{1,200}$/.exec(String(form.get("sections")))?.[0];
  const answer = await carryOut(form, place, uploads);
  if (answer instanceof Response) return answer;
  // The form was filled from a command, so it differs from the submission.
  const address = answer.reply.curl?.notes ? undefined : await answerAddress(form, place);
  return data<EditorReply>({ ...answer.reply, sections, address }, { status: answer.status });
}

/** The address of the request as the form is now, its files stored. */
export async function answerAddress(form: FormData, place: SendingPlace): Promise<RequestAddress | undefined> {
  dropCarried(form);
  form.delete(INTENT);
  const submission = parseTestToSend(form, place.operation);
  if (submission.status !== "success") {
    return { url: null, reason: "Fix the errors in the request to see its full URL." };
  }
  const environment = await findEnvironmentInUse(place.viewer, place.apiId);
  return await resolveAddress(place, submission.value.test, environment?.name);
}

async function carryOut(form: FormData, place: EditorPlace, uploads: Fault[]): Promise<Answered | Response> {
  const then = String(form.get("then") ?? "save");
  const trial = readTrial(form.get("trial"));
  const runKey = readRunKey(form);
  const command = String(form.get("curl") ?? "");
  if (then === "send") return await sendForm(form, place, uploads);
  dropCarried(form);
  if (then === "curl" || then === "curl-replace") {
    return reply({ ...(await answerCurl(form, command, then === "curl-replace", place)), trial });
  }

  const submission = parseTestToSave(form, place.operation, uploads);
  // A row was added or removed: no validation yet.
  if (submission.status === undefined) return reply({ lastResult: submission.reply(), trial });
  if (then === "ask-delete") {
    return reply({ lastResult: { ...submission.reply(), status: undefined, error: {} }, trial, asksToDelete: true });
  }
  if (submission.status !== "success") return reply({ lastResult: submission.reply(), trial }, 422);
  return await save(submission, form, { then, runKey }, place, trial);
}

interface Answered {
  reply: EditorReply;
  status: number;
}

/** Sends the form's request without saving; for the page and for its script alike. */
export async function answerSend(upload: UploadForm, place: EditorPlace): Promise<Answered> {
  return await sendForm(upload.form, place, await storeEditorUploads(upload, place.viewer));
}

async function sendForm(form: FormData, place: EditorPlace, uploads: Fault[]): Promise<Answered> {
  dropCarried(form);
  const submission = parseTestToSend(form, place.operation, uploads);
  if (submission.status !== "success") return { reply: { lastResult: submission.reply() }, status: 422 };
  const sent = await sendUnsaved(place, submission.value.test);
  if (!sent.ok) return { reply: { lastResult: refuse(submission, sent.problem) }, status: sent.problem.status };
  return { reply: { lastResult: submission.reply(), trial: sent.trial }, status: 200 };
}

/** Removes the form's fields that are not part of the test, so that they are not taken for typed values. */
function dropCarried(form: FormData): void {
  for (const name of ["trial", "then", "sections", "curl", runKeyField]) form.delete(name);
}

/** The redirect after saving. */
interface Next {
  then: string;
  runKey: string;
}

async function save(
  submission: EditorSubmission & { status: "success" },
  form: FormData,
  next: Next,
  place: EditorPlace,
  trial: EditorReply["trial"],
) {
  const { test } = submission.value;
  const saved = await store(test, form, next.runKey, place);
  if (saved.ok) return await lead(saved.value, next, place);
  const { problem } = saved;
  if (problem.status === 401 || problem.status === 403) throw problemResponse(problem);
  if (problem.code === "stale_version" && place.testId) {
    const stored = required(await place.viewer.backend.testRegistry.getTest({ params: { testId: place.testId } }));
    const differences = differencesBetween(stored, test);
    // Pressed twice: the first press has stored the same test.
    if (differences.length === 0) return await lead(stored, next, place);
    const conflict = { version: stored.version, updatedAt: stored.updatedAt, differences };
    return reply({ lastResult: { ...submission.reply(), status: undefined }, trial, conflict }, 412);
  }
  return reply({ lastResult: refuse(submission, problem), trial }, problem.status);
}

function store(
  test: TestInput,
  form: FormData,
  formKey: string,
  { viewer, apiId, testId }: EditorPlace,
): Promise<CallResult<Test>> {
  const { testRegistry } = viewer.backend;
  if (!testId) {
    // Pressed twice it is one test; changed in between, after going back, a second one.
    const content = createHash("sha256").update(JSON.stringify(test)).digest("base64url");
    const headers = { "idempotency-key": `${formKey}:${content}` };
    return testRegistry.createTest({ params: { apiId }, body: test, headers });
  }
  const version = String(form.get("overwrite") ?? form.get("version"));
  return testRegistry.changeTest({ params: { testId }, body: test, headers: { "if-match": `"${version}"` } });
}

async function lead(saved: Test, { then, runKey }: Next, { viewer, context, testId }: EditorPlace) {
  const edit = href("/test-management/:apiId/tests/:testId/edit", { apiId: saved.apiId, testId: saved.id });
  const said = testId ? `${saved.name} was saved.` : `${saved.name} was created.`;
  if (then !== "run") return redirectWithToast(context, edit, said);
  return await startAndShow({
    ...{ viewer, context, runKey, runPage: { apiId: saved.apiId } },
    subject: `${saved.id}:${saved.version}`,
    alwaysNew: true,
    run: { source: { tests: [saved.id] } },
    otherwise: edit,
  });
}

/** A service's refusal, each error at its field. */
function refuse(submission: EditorSubmission & { status: "success" }, { errors = [], detail }: ProblemDetails) {
  const fieldErrors: Record<string, string[]> = {};
  const formErrors: string[] = [];
  for (const { path, message } of errors) {
    // The form has no field for its operation, which is in its address.
    if (!path || path === "path" || path === "method") {
      formErrors.push(message);
      continue;
    }
    const field = submission.value.fieldOf(path);
    fieldErrors[field] = [...(fieldErrors[field] ?? []), message];
  }
  if (errors.length === 0) formErrors.push(detail);
  return submission.reply({ formErrors, fieldErrors });
}

function reply(answer: EditorReply, status = 200): Answered {
  return { reply: answer, status };
}
