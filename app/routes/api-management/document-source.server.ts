import { type DocumentSource, maximumDocumentBytes } from "../../../services/api-registry/contract/documents.ts";
import type { ProblemDetails } from "../../../services/kit/problem/problem.ts";
import { type DocumentSourceFields, keptDocumentBytes, sourceFieldOf } from "./document-source";

/** Room for the other fields and the boundaries of a multipart form. */
const formOverheadBytes = 1024 * 1024;

/**
 * Reads a form that carries a document. Undefined when it is larger than a document may be: reading stops there, so
 * nobody can fill the memory.
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
          controller.error(new Error("The form is larger than a document may be."));
        } else controller.enqueue(chunk);
      },
    }),
  );
  try {
    return await new Response(limited, { headers: request.headers }).formData();
  } catch (error) {
    if (exceeded) return undefined;
    throw error;
  }
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
 * The document and what goes with it as api-registry takes them: files as multipart, so that their bytes arrive as they
 * are; the rest as JSON. The client's type knows the JSON form only.
 */
export function sourceInput(fields: DocumentSourceFields, settings: SourceSettings = {}) {
  return fields.way === "file"
    ? multipartInput(fields, settings)
    : { body: { ...settings, source: writtenSource(fields) } };
}

/** As `sourceInput`, for the call that takes nothing but the source. */
export function inspectionInput(fields: DocumentSourceFields) {
  return fields.way === "file" ? multipartInput(fields, {}) : { body: writtenSource(fields) };
}

function multipartInput(fields: DocumentSourceFields, settings: SourceSettings) {
  const form = new FormData();
  form.set("document", fields.documentFile!, fields.documentFile!.name);
  for (const file of fields.otherFiles) form.append("files", file, file.name);
  if (settings.name) form.set("name", settings.name);
  if (settings.baseUrl) form.set("baseUrl", settings.baseUrl);
  for (const tag of settings.tags ?? []) form.append("tags", tag);
  return { body: undefined as never, rawBody: form };
}

function writtenSource({ way, url, document, fileName, attachedFiles }: DocumentSourceFields): DocumentSource {
  if (way === "url") return { url: url! };
  const files = readAttached(attachedFiles);
  // Browsers send a text area's line ends as CR LF, whatever was pasted.
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

/** What the form shows of chosen files after a check: their text, if it is small and is text. */
export interface KeptFiles {
  way: "text";
  document: string;
  fileName: string;
  attachedFiles: string;
}

export async function keepFiles({
  way,
  documentFile,
  otherFiles,
}: DocumentSourceFields): Promise<KeptFiles | undefined> {
  if (way !== "file" || !documentFile) return undefined;
  const files = [documentFile, ...otherFiles];
  if (files.reduce((sum, { size }) => sum + size, 0) > keptDocumentBytes) return undefined;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const texts = await Promise.all(files.map(async (file) => decoder.decode(await file.arrayBuffer())));
    // A form gives every line end back as CR LF and loses NUL; what would not come back byte for byte is chosen again.
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

/** A refusal of api-registry with its paths as the form's field names. */
export function refusalForForm(problem: ProblemDetails, fields: DocumentSourceFields) {
  return {
    ...problem,
    errors: problem.errors?.map(({ path, message }) => ({ path: sourceFieldOf(path, fields.way), message })),
  };
}
