import type { MediaTypeContent, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import { isFileBody } from "#libraries/openapi/file-body.ts";
import { type FilePart, listFileParts } from "#libraries/openapi/file-parts.ts";
import { readFileReferences } from "~/features/request-files/file-reference";

/** One file input of the form that sends a request. */
export interface RequestFileField {
  /** `body.upload` for the whole body, `part.photo.upload` for a part. */
  name: string;
  /** The part; undefined for the whole body. */
  part?: string;
  required: boolean;
  many: boolean;
  mediaTypes: string[];
}

export const bodyUpload = "body.upload";
export const uploadField = /^(?:body|part\..+)\.upload$/s;

export const getPartUpload = (part: string) => `part.${part}.upload`;
/** The hidden field with references of the files that are stored already. */
export const getReferenceField = (upload: string) => upload.replace(/upload$/, "file");

/** The files of all media types of the body; a field of one that isn't chosen is not sent. */
export function requestFileFields(result: OperationWithComponents): RequestFileField[] {
  const { requestBody } = result.operation;
  const fields = new Map<string, RequestFileField>();
  function add(name: string, mediaType: string, field: Omit<RequestFileField, "name" | "mediaTypes">) {
    const known = fields.get(name);
    if (!known) fields.set(name, { name, mediaTypes: [mediaType], ...field });
    else known.mediaTypes.push(mediaType);
  }
  for (const content of requestBody?.content ?? []) {
    const { mediaType } = content;
    if (isFileBody(content, result)) add(bodyUpload, mediaType, { required: requestBody!.required, many: false });
    for (const { name, required, many } of listFileParts(content, result)) {
      add(getPartUpload(name), mediaType, { part: name, required, many });
    }
  }
  return [...fields.values()];
}

/** Whether no media type of the body can be typed. */
export function isAlwaysFile(contents: readonly MediaTypeContent[], result: OperationWithComponents): boolean {
  return contents.length > 0 && contents.every((content) => isFileBody(content, result));
}

/** The stored files that a field of the form refers to. */
export function readChosenFiles(form: FormData, upload: string): StoredFile[] {
  const text = form.get(getReferenceField(upload));
  return typeof text === "string" ? readFileReferences(text) : [];
}

/** @returns the chosen files of each part, and required parts without one */
export function readPartFiles(form: FormData, parts: readonly FilePart[]) {
  const chosen = parts.flatMap((part) =>
    readChosenFiles(form, getPartUpload(part.name)).map((file) => ({ part, file })),
  );
  const missing = parts.filter(({ name, required }) => required && !chosen.some(({ part }) => part.name === name));
  return { chosen, missing };
}
