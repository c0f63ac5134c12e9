import { randomUUID } from "node:crypto";
import { data } from "@remix-run/node";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { type ReadableFormat, readableFormats } from "#contracts/test-registry/import-formats.ts";
import {
  type Imported,
  type ImportPreview,
  type ImportSource,
  maximumImportBytes,
} from "#contracts/test-registry/imports.ts";
import { readUploadForm } from "~/forms/read-upload-form.server";
import type { Viewer } from "~/session/guards";
import type { ImportReply, ImportReview, ReviewedRequest } from "./import-reply";
import { maxListed } from "./import-reply";

type Files = Extract<ImportSource, { files: unknown }>["files"];

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;
const text = (form: FormData, name: string) => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** Reviews the files of the form, or imports them, as its button says. */
export async function handleImport(viewer: Viewer, request: Request, apiId: string | undefined) {
  const { form, tooLarge } = await readUploadForm(request, { maxFileBytes: maximumImportBytes });
  const typed = {
    format: text(form, "format"),
    pasted: text(form, "pasted").slice(0, 200_000),
    apiName: text(form, "apiName"),
  };
  const reject = (error: string, status = 422) => data<ImportReply>({ typed, error }, { status });
  if (tooLarge.size > 0) return reject(`Choose files with at most ${maximumImportBytes / 1_000_000} MB.`);
  const draft = text(form, "draft");
  const files = draft ? [] : await readFiles(form);
  if (!draft && files.length === 0) return reject("Choose a file, or paste its content.");
  const choices = readChoices(form, draft, files, apiId);
  const isImporting = form.get("intent") === "import" && draft !== "";
  const { testRegistry } = viewer.backend;
  if (isImporting) {
    const headers = { "idempotency-key": text(form, "key") || randomUUID() };
    const done = await testRegistry.importTests({ body: choices, headers });
    if (done.ok) return data<ImportReply>({ typed, imported: toResult(done.value) });
    const reviewed = await testRegistry.previewImport({ body: choices });
    const review = reviewed.ok ? toReview(reviewed.value, draft, form, apiId === undefined) : undefined;
    return data<ImportReply>({ typed, review, error: describe(done.problem) }, { status: done.status });
  }
  const reviewed = await testRegistry.previewImport({ body: { ...choices, keep: draft === "" } });
  if (!reviewed.ok) return reject(describe(reviewed.problem), reviewed.status);
  return data<ImportReply>({
    typed,
    review: toReview(reviewed.value, draft || reviewed.value.draft!.id, form, apiId === undefined),
  });
}

function describe({ detail, errors = [] }: ProblemDetails): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(" ") : detail;
}

async function readFiles(form: FormData): Promise<Files> {
  const files: Files = [];
  for (const file of form.getAll("files")) {
    if (typeof file === "string" || file.size === 0) continue;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const name = file.name.slice(-500) || "file";
    if (isZip(bytes)) files.push({ name, base64: Buffer.from(bytes).toString("base64") });
    else files.push({ name, text: new TextDecoder().decode(bytes) });
  }
  const pasted = text(form, "pasted");
  if (files.length === 0 && pasted.trim() !== "") files.push({ name: "pasted", text: pasted });
  return files;
}

function readChoices(form: FormData, draft: string, files: Files, apiId: string | undefined) {
  const apiName = apiId === undefined ? text(form, "apiName").trim() || undefined : undefined;
  const taken = new Set(form.getAll("take").map(String));
  const format = readableFormats.find((known) => known === form.get("format"));
  return {
    source: draft ? { draft } : { files },
    ...{ apiId, apiName },
    format,
    environment: text(form, "environment") || undefined,
    // An API made from the requests has an operation for each of them.
    unmatched: apiId === undefined ? draft === "" || form.has("unmatched") : form.has("unmatched"),
    toApi: form.has("toApi"),
    circles: draft === "" || form.has("circles"),
    leaveOut: form
      .getAll("known")
      .map(String)
      .filter((id) => !taken.has(id)),
  };
}

/** @param includesAll whether requests of no operation are imported unless they are left out */
function toReview(preview: ImportPreview, draft: string, form: FormData, includesAll: boolean): ImportReview {
  const { requests, losses, variables, ...rest } = preview;
  const count = (state: ReviewedRequest["state"]) => requests.filter((request) => request.state === state).length;
  const isFirst = text(form, "draft") === "";
  return {
    ...rest,
    ...{ draft, key: randomUUID(), variables: Object.keys(variables) },
    requests: requests.slice(0, maxListed).map(toReviewed),
    counts: {
      ...{ all: requests.length, new: count("new"), exists: count("exists") },
      ...{ changed: count("changed"), unchanged: count("unchanged"), edited: count("edited") },
      ...{ unmatched: count("unmatched"), unusable: count("unusable"), leftOut: count("left_out") },
    },
    losses: losses.slice(0, maxListed),
    lossCount: losses.length,
    choices: {
      format: (form.get("format") ?? "") as ReadableFormat | "",
      environment: text(form, "environment") || (preview.environments[0] ?? ""),
      unmatched: form.has("unmatched") || (isFirst && includesAll),
      toApi: form.has("toApi"),
      circles: isFirst || form.has("circles"),
    },
  };
}

function toReviewed(request: ImportPreview["requests"][number]): ReviewedRequest {
  const { id, file, line, name, folders, method, url, operation, baseUrl, state, test } = request;
  return {
    ...{ id, name, folders, url, baseUrl, state, method },
    position: line > 0 ? `${file}:${line}` : file,
    operation: operation && { method: operation.method, path: operation.path },
    assertions: test?.assertions.length ?? 0,
    checks: test?.checks.length ?? 0,
    captures: test?.captures.map((capture) => capture.name) ?? [],
  };
}

function toResult({ tests, changedTests, losses, ...rest }: Imported): NonNullable<ImportReply["imported"]> {
  return {
    ...rest,
    tests: tests.slice(0, maxListed),
    testCount: tests.length,
    changedTests: changedTests.length,
    losses: losses.slice(0, maxListed),
    lossCount: losses.length,
  };
}
