import type { MediaTypeContent, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { BodyPart, Pair, RequestBody } from "#contracts/test-registry/requests.ts";
import { writeIndentedJson } from "#libraries/json/write-json.ts";
import type { SampleField } from "#libraries/openapi/described-content.ts";
import { isFileBody } from "#libraries/openapi/file-body.ts";
import { listFileParts } from "#libraries/openapi/file-parts.ts";
import { fileMediaType, formDataType } from "#libraries/openapi/multipart-part.ts";
import { preferredContent, sampleBody } from "#libraries/openapi/sample-body.ts";
import { getFileName } from "#libraries/openapi/sample-parts.ts";
import {
  bodyUpload,
  getPartUpload,
  isAlwaysFile,
  type RequestFileField,
  readChosenFiles,
  readPartFiles,
  requestFileFields,
} from "./request-files";

/** The body's part of the form that sends a request. */
export interface RequestBodyField {
  mediaTypes: string[];
  mediaType: string;
  /** Undefined where the body can only be a file. */
  text?: string;
  required: boolean;
  files: RequestFileField[];
}

export interface RequestError {
  field: string;
  message: string;
}

/** @param picked the body to fill it with; by default the one that is easiest to send */
export function requestBodyField(
  result: OperationWithComponents,
  picked?: MediaTypeContent,
): RequestBodyField | undefined {
  const { requestBody } = result.operation;
  const content = requestBody && (picked ?? preferredContent(requestBody.content));
  if (!requestBody || !content) return undefined;
  const isFilled = requestBody.required || content.sample !== undefined;
  return {
    mediaTypes: requestBody.content.map(({ mediaType }) => mediaType),
    mediaType: content.mediaType,
    ...(isAlwaysFile(requestBody.content, result) ? {} : { text: isFilled ? bodyText(content, result) : "" }),
    required: requestBody.required,
    files: requestFileFields(result),
  };
}

function bodyText(content: MediaTypeContent, result: OperationWithComponents): string {
  if (isFileBody(content, result)) return "";
  const body = sampleBody(content, result);
  switch (body.kind) {
    case "json":
      return writeIndentedJson(body.value);
    case "text":
      return body.text ?? "";
    default: {
      const files = new Set(listFileParts(content, result).map(({ name }) => name));
      return body.fields
        .filter(({ name }) => !files.has(name))
        .map(({ name, value }) => `${name}=${value.replace(/\s*\n\s*/g, " ")}`)
        .join("\n");
    }
  }
}

export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replace(/\r\n/g, "\n") : "";
}

/** The body in the form, its files stored already; of kind none beside errors. */
export function readBody(
  result: OperationWithComponents,
  form: FormData,
): { body: RequestBody; errors: RequestError[] } {
  const { requestBody } = result.operation;
  if (!requestBody) return { body: { kind: "none" }, errors: [] };
  const contents = requestBody.content;
  const chosen = text(form, "mediaType");
  const content = contents.find(({ mediaType }) => mediaType === chosen) ?? contents[0];
  const mediaType = content?.mediaType ?? "application/json";
  if (content && isFileBody(content, result)) return readFileBody(mediaType, requestBody.required, form);
  if (content && /^multipart\//i.test(mediaType)) return readMultipart(content, result, form);
  const typed = text(form, "body");
  if (typed.trim() === "") {
    return requestBody.required ? refuse("body", "Enter the body") : { body: { kind: "none" }, errors: [] };
  }
  return { body: toTypedBody(mediaType, typed), errors: [] };
}

function refuse(field: string, message: string): { body: RequestBody; errors: RequestError[] } {
  return { body: { kind: "none" }, errors: [{ field, message }] };
}

function toTypedBody(mediaType: string, typed: string): RequestBody {
  if (/[/+]json\b/i.test(mediaType)) return { kind: "json", text: typed, mediaType };
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return { kind: "form", fields: readLines(typed) };
  return { kind: "text", text: typed, mediaType };
}

function readFileBody(documented: string, required: boolean, form: FormData) {
  const [file] = readChosenFiles(form, bodyUpload);
  if (!file && required) return refuse(bodyUpload, "Choose a file");
  const mediaType = documented.includes("*") ? fileMediaType : documented;
  const body: RequestBody = file ? { kind: "file", file, mediaType } : { kind: "none" };
  return { body, errors: [] };
}

/** Texts come before files: some servers read no field after a file. */
function readMultipart(content: MediaTypeContent, result: OperationWithComponents, form: FormData) {
  const { mediaType } = content;
  const known = sampleBody(content, result);
  const fields = known.kind === "multipart" ? known.fields : [];
  const fileParts = listFileParts(content, result);
  const { chosen, missing } = readPartFiles(form, fileParts);
  const replaced = new Set(chosen.map(({ part }) => part.name));
  const typed = readLines(text(form, "body")).filter(({ name }) => !replaced.has(name));
  const parts: BodyPart[] = [
    ...typed.map((pair) => describePart(pair, fields)),
    ...chosen.map(({ part: { name, mediaType: type, headers }, file }) => ({
      ...{ name, value: "", enabled: true, file, headers },
      mediaType: type ?? fileMediaType,
    })),
  ];
  const { required } = result.operation.requestBody!;
  if (parts.length === 0 && !required) return { body: { kind: "none" } as RequestBody, errors: [] };
  const errors = missing
    .filter(({ name }) => !typed.some((pair) => pair.name === name))
    .map(({ name }) => ({ field: getPartUpload(name), message: "Choose a file" }));
  if (parts.length === 0 && errors.length === 0) return refuse("body", "Enter the body");
  const body: RequestBody = {
    kind: "multipart",
    ...(mediaType === formDataType ? {} : { mediaType: known.mediaType }),
    parts,
  };
  return { body, errors };
}

/** A typed part has the head that the document gives it. */
function describePart(pair: Pair, fields: readonly SampleField[]): BodyPart {
  const known = fields.find(({ name }) => name === pair.name);
  const { mediaType, headers } = known ?? {};
  return { ...pair, mediaType, headers, ...(known?.file ? { fileName: getFileName(pair.name) } : {}) };
}

function readLines(typed: string) {
  return typed.split("\n").flatMap((line) => {
    const [, name, value = ""] = /^\s*([^=]+?)\s*=(.*)$/.exec(line) ?? [];
    return name ? [{ name, value, enabled: true }] : [];
  });
}
