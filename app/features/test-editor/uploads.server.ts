import { maximumFileBytes } from "#contracts/test-registry/files.ts";
import { problemResponse } from "~/backend/responses";
import { readUploadForm, type UploadForm } from "~/forms/read-upload-form.server";
import type { Viewer } from "~/session/guards";
import { writeFileReference } from "./file-reference.ts";
import type { Fault } from "./test-of-values.ts";

const tooLargeMessage = `Choose a file of at most ${maximumFileBytes / 1_048_576} MiB`;
const uploadField = /^request\.body\.(?:parts\[\d{1,3}\]\.)?upload$/;

/** The editor's form with its files. @throws Response as `readForm` */
export async function readEditorUpload(request: Request): Promise<UploadForm> {
  return await readUploadForm(request, { maxFileBytes: maximumFileBytes });
}

/**
 * Stores the chosen files at once, whatever else is wrong with the form, and replaces each field by the reference in the
 * hidden field beside it.
 * @returns what is wrong with files, at their fields
 * @throws Response when the viewer may not store files
 */
export async function storeUploads({ form, tooLarge }: UploadForm, viewer: Viewer): Promise<Fault[]> {
  const faults = [...tooLarge].map((path) => ({ path, message: tooLargeMessage }));
  for (const [field, value] of [...form]) {
    if (typeof value !== "string" && !uploadField.test(field)) form.delete(field);
    if (!uploadField.test(field)) continue;
    form.delete(field);
    const reference = field.replace(/upload$/, "file");
    const choose = (text: string) => {
      form.set(reference, text);
      form.delete(field.replace(/upload$/, "withoutFile"));
    };
    if (typeof value === "string") {
      // A script sends the name alone where the bytes don't matter.
      if (value !== "") choose(writeFileReference({ sha256: "0".repeat(64), size: 0, name: value.slice(0, 300) }));
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
  return faults;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a header can't have them
const control = /[\0-\x1f\x7f]/g;

/** Some browsers once sent the whole path. */
function toFileName(name: string): string {
  const own = name.replace(/^.*[\\/]/s, "").replace(control, "");
  return own.trim().slice(0, 300).trim() || "file";
}
