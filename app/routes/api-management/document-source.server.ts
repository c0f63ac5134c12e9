import { parseWithZod } from "@conform-to/zod/v4";
import { type DocumentSource, maximumDocumentBytes } from "#contracts/api-registry/document-sources.ts";
import type { Inspection } from "#contracts/api-registry/documents.ts";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { readForm } from "~/forms/read-form.server";
import type { Viewer } from "~/session/guards";
import { plural } from "~/ui/count/plural";
import type { CallResult } from "../../../services/kit/client/client.ts";
import {
  type DocumentSourceFields,
  documentSourceFields,
  maxStoredDocumentBytes,
  requireSource,
  toSourceField,
} from "./document-source";

/** Allowance for the other fields and the boundaries of a multipart form. */
const formOverheadBytes = 1024 * 1024;

/**
 * Reads a form that carries a document. Undefined when it exceeds the maximum size of a document: reading stops
 * there, which bounds the memory. @throws Response as `readForm`
 */
export async function readDocumentForm(request: Request): Promise<FormData | undefined> {
  const maximum = maximumDocumentBytes + formOverheadBytes;
  if (Number(request.headers.get("content-length") ?? 0) > maximum) return undefined;
  let read = 0;
  let exceeded = false;
  const limited = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > maximum) {
          exceeded = true;
          controller.error(new Error("The form is larger than the maximum document size."));
        } else controller.enqueue(chunk);
      },
    }),
  );
  try {
    const form = await readForm(new Response(limited, { headers: request.headers }));
    return withoutEmptyFiles(form, "otherFiles");
  } catch (error) {
    if (exceeded) return undefined;
    throw error;
  }
}

/** An untouched file field sends a nameless file. */
function withoutEmptyFiles(form: FormData, name: string): FormData {
  const chosen = form.getAll(name).filter((one) => one instanceof File && (one.name !== "" || one.size > 0));
  form.delete(name);
  for (const file of chosen) form.append(name, file);
  return form;
}

export const tooLarge: Pick<ProblemDetails, "status" | "detail" | "errors"> = {
  status: 413,
  detail: `The document is larger than ${maximumDocumentBytes / 1024 / 1024} MiB.`,
};

export interface SourceSettings {
  name?: string;
  baseUrl?: string;
  tags?: string[];
}

/**
 * The document and its settings as api-registry takes them: files as multipart, which keeps their bytes; the rest as
 * JSON. The client's type has the JSON form only.
 */
export function sourceInput(fields: DocumentSourceFields, settings: SourceSettings = {}) {
  return fields.documentFile && fields.way === "file"
    ? multipartInput(fields, settings)
    : { body: { ...settings, source: writtenSource(fields) } };
}

/** Like `sourceInput`, for the call that takes only the source. Files that don't fit into the form are stored. */
function inspectionInput(fields: DocumentSourceFields) {
  return fields.documentFile && fields.way === "file"
    ? { ...multipartInput(fields, {}), query: { keep: "true" as const } }
    : { body: writtenSource(fields), query: {} };
}

/** Inspects the document, and returns what the form then contains of the chosen files. */
export async function inspectSource(viewer: Viewer, fields: DocumentSourceFields) {
  const displayed = await showFiles(fields);
  const input = displayed ? { body: writtenSource({ ...fields, ...displayed }), query: {} } : inspectionInput(fields);
  const inspected = await viewer.backend.apiRegistry.inspectDocument(input);
  return { inspected, kept: displayed ?? stagedFiles(fields, inspected) };
}

function stagedFiles(fields: DocumentSourceFields, inspected: CallResult<Inspection>): StagedFiles | undefined {
  const { way, documentFile, otherFiles, staged, stagedName } = fields;
  if (way !== "file") return undefined;
  const others = otherFiles.length === 0 ? "" : ` and ${plural(otherFiles.length, "file")} beside it`;
  if (documentFile) {
    const id = inspected.ok ? inspected.value.staged?.id : undefined;
    return id ? { way, staged: id, stagedName: `${documentFile.name}${others}` } : undefined;
  }
  // Expired files have to be chosen again.
  return inspected.ok && staged ? { way, staged, stagedName: stagedName ?? "" } : undefined;
}

/** The part of a rejected form that names the document's source, so that its files need not be chosen again. */
export async function keepRejected(viewer: Viewer, form: FormData): Promise<StagedFiles | undefined> {
  const source = parseWithZod(form, { schema: documentSourceFields.superRefine(requireSource) });
  if (source.status !== "success" || source.value.way !== "file") return undefined;
  return (await inspectSource(viewer, source.value)).kept;
}

function multipartInput(fields: DocumentSourceFields, settings: SourceSettings) {
  const form = new FormData();
  form.set("document", fields.documentFile!, fields.documentFile!.name);
  for (const file of fields.otherFiles) form.append("files", file, file.name);
  if (settings.name) form.set("name", settings.name);
  if (settings.baseUrl) form.set("baseUrl", settings.baseUrl);
  // `tags` is comma-separated.
  for (const tag of settings.tags ?? []) form.append(tag.includes(",") ? "tag" : "tags", tag);
  return { body: undefined as never, rawBody: form };
}

function writtenSource(fields: DocumentSourceFields): DocumentSource {
  const { way, url, document, fileName, attachedFiles, staged } = fields;
  if (way === "url") return { url: url! };
  if (way === "file") return { staged: staged! };
  const files = readAttached(attachedFiles);
  // Browsers send the line ends of a text area as CR LF.
  return { document: document!.replace(/\r\n/g, "\n"), ...(fileName ? { fileName } : {}), ...(files ? { files } : {}) };
}

function readAttached(text: string | undefined): Record<string, string> | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    return Object.fromEntries(Object.entries(value).filter(([, content]) => typeof content === "string"));
  } catch {
    return undefined;
  }
}

/** The form's reference to chosen files after a check. */
export type StagedFiles = DisplayedFiles | { way: "file"; staged: string; stagedName: string };

/** Their text, for reading and correcting, if it is small and is text. */
interface DisplayedFiles {
  way: "text";
  document: string;
  fileName: string;
  attachedFiles: string;
}

async function showFiles({ way, documentFile, otherFiles }: DocumentSourceFields): Promise<DisplayedFiles | undefined> {
  if (way !== "file" || !documentFile) return undefined;
  const files = [documentFile, ...otherFiles];
  if (files.reduce((sum, { size }) => sum + size, 0) > maxStoredDocumentBytes) return undefined;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const texts = await Promise.all(files.map(async (file) => decoder.decode(await file.arrayBuffer())));
    // A form changes every line end to CR LF and loses NUL; files that would not survive byte for byte have to be
    // chosen again.
    if (texts.some((text) => /[\0\r]|^\n/.test(text))) return undefined;
    const attached = Object.fromEntries(otherFiles.map(({ name }, index) => [name, texts[index + 1]!]));
    return {
      way: "text",
      document: texts[0]!,
      fileName: documentFile.name,
      attachedFiles: otherFiles.length > 0 ? JSON.stringify(attached) : "",
    };
  } catch {
    return undefined;
  }
}

/** A refusal of api-registry with its paths mapped to the form's field names. */
export function refusalForForm(problem: ProblemDetails, fields: DocumentSourceFields) {
  return {
    ...problem,
    errors: problem.errors?.map(({ path, message }) => ({ path: toSourceField(path, fields.way), message })),
  };
}
