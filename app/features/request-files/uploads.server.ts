import { maximumFileBytes } from "#contracts/test-registry/files.ts";
import { problemResponse } from "~/backend/responses";
import { readUploadForm, type UploadForm } from "~/forms/read-upload-form.server";
import type { Viewer } from "~/session/guards";
import { writeFileReference } from "./file-reference.ts";

const tooLargeMessage = `Choose a file of at most ${maximumFileBytes / 1_048_576} MiB`;

/** What is wrong with a file. */
export interface UploadFault {
  /** Name of the form field. */
  path: string;
  message: string;
}

/** A form with files that a request sends. @throws Response as `readForm` */
export async function readRequestUpload(request: Request): Promise<UploadForm> {
  return await readUploadForm(request, { maxFileBytes: maximumFileBytes });
}

/**
 * Stores the chosen files at once, whatever else is wrong with the form, and replaces each field `….upload` by the
 * references in the hidden field `….file` beside it.
 * @param uploadField the names of file fields; files elsewhere are dropped
 * @returns what is wrong with files, at their fields
 * @throws Response when the viewer may not store files
 */
export async function storeUploads(
  { form, tooLarge }: UploadForm,
  viewer: Viewer,
  uploadField: RegExp,
): Promise<UploadFault[]> {
  const faults = [...tooLarge].map((path) => ({ path, message: tooLargeMessage }));
  const chosen = new Map<string, string[]>();
  for (const [field, value] of [...form]) {
    if (typeof value !== "string" && !uploadField.test(field)) form.delete(field);
    if (!uploadField.test(field)) continue;
    form.delete(field);
    const choose = (reference: string) => chosen.set(field, [...(chosen.get(field) ?? []), reference]);
    if (typeof value === "string") {
      // A script sends the name alone where the bytes don't matter.
      const name = toFileName(value);
      if (value !== "") choose(writeFileReference({ sha256: "0".repeat(64), size: 0, name }));
      continue;
    }
    if (value.name === "" && value.size === 0) continue;
    const stored = await viewer.backend.testRegistry.storeFile({
      rawBody: await value.arrayBuffer(),
      headers: { "content-type": "application/octet-stream" },
    });
    if (stored.ok) choose(writeFileReference({ ...stored.value, name: toFileName(value.name) }));
    else if (stored.status === 401 || stored.status === 403) throw problemResponse(stored.problem);
    else faults.push({ path: field, message: stored.problem.errors?.[0]?.message ?? stored.problem.detail });
  }
  for (const [field, references] of chosen) {
    form.set(field.replace(/upload$/, "file"), references.join("\n"));
    form.delete(field.replace(/upload$/, "withoutFile"));
  }
  return faults;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a header can't have them
const control = /[\0-\x1f\x7f]/g;

/** Some browsers once sent the whole path. */
function toFileName(name: string): string {
  const own = name.replace(/^.*[\\/]/s, "").replace(control, "");
  return own.trim().slice(0, 300).trim() || "file";
}
