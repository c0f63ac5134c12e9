import type { SampleField } from "../openapi/described-content.ts";
import { fileMediaType, formDataType, writePartHead } from "../openapi/multipart-part.ts";
import { placeholderText } from "../openapi/placeholder-text.ts";
import { getFileName } from "../openapi/sample-parts.ts";
import { curlWord, shellQuoted } from "./shell-words.ts";

export interface MultipartBody {
  mediaType: string;
  fields: SampleField[];
}

/** A file's name and type, as a test sends them. */
export function getHead({ name, file, chosenFile, mediaType, headers }: SampleField) {
  return file
    ? { name, fileName: chosenFile ?? getFileName(name), mediaType: mediaType ?? fileMediaType, headers }
    : { name, mediaType, headers };
}

const hasDisposition = ({ headers = [] }: SampleField) =>
  headers.some(({ name }) => /^content-disposition$/i.test(name));

/** Of a body whose lines the code writes itself: text can't hold the bytes of a file. */
export function listFileNotes({ fields }: MultipartBody): string[] {
  return fields.flatMap(({ chosenFile }) =>
    chosenFile === undefined ? [] : [`Replace ${placeholderText(chosenFile)} with the content of ${chosenFile}.`],
  );
}

/** Clients that write a form by themselves write this one alike, apart from the heads of parts. */
export function isOrdinaryForm({ mediaType, fields }: MultipartBody): boolean {
  return (
    mediaType.toLowerCase() === formDataType && fields.every((field) => field.name !== "" && !hasDisposition(field))
  );
}

/** Also without heads that a browser's form can't have: without a file name a part has no type. */
export function isPlainForm(body: MultipartBody): boolean {
  return isOrdinaryForm(body) && body.fields.every(({ file, mediaType, headers }) => !headers && (file || !mediaType));
}

/** A body whose lines the code writes itself; each ends with CR LF. */
export interface WrittenLines {
  contentType: string;
  lines: string[];
}

export function writeLines({ mediaType, fields }: MultipartBody): WrittenLines {
  const boundary = chooseBoundary(fields);
  const lines = fields.flatMap((field) => [
    `--${boundary}`,
    ...writePartHead(getHead(field)).split("\r\n"),
    field.chosenFile === undefined ? field.value : placeholderText(field.chosenFile),
  ]);
  return { contentType: `${mediaType}; boundary=${boundary}`, lines: [...lines, `--${boundary}--`] };
}

/** One that no value contains. */
function chooseBoundary(fields: readonly SampleField[]): string {
  const isFree = (boundary: string) => !fields.some(({ value }) => value.includes(boundary));
  for (let number = 1; ; number += 1) {
    const boundary = `part-boundary-${number}`;
    if (isFree(boundary)) return boundary;
  }
}

/** Arguments of curl for an ordinary form. */
export function curlForm({ fields }: MultipartBody): string[] {
  return fields.map((field) => {
    const { name, value, file, chosenFile } = field;
    const { mediaType, headers = [], fileName } = { fileName: undefined, ...getHead(field) };
    if (!file && !mediaType && headers.length === 0) return `--form-string ${shellQuoted(`${name}=${value}`)}`;
    const named =
      chosenFile === undefined ? { content: curlWord(value), fileName } : { content: `@${curlWord(chosenFile)}` };
    return `-F ${shellQuoted(writeCurlPart({ name, mediaType, headers, ...named }))}`;
  });
}

/** `name=content;filename="…";type=…;headers="…"` */
export function writeCurlPart(part: {
  name: string;
  content: string;
  fileName?: string | undefined;
  mediaType: string | undefined;
  headers?: readonly { name: string; value: string }[];
}): string {
  const { name, content, fileName, mediaType, headers = [] } = part;
  return [
    `${name}=${content}`,
    ...(fileName === undefined ? [] : [`filename=${curlWord(fileName)}`]),
    ...(mediaType ? [`type=${mediaType}`] : []),
    ...headers.map((header) => `headers=${curlWord(`${header.name}: ${header.value}`)}`),
  ].join(";");
}

/** A command that prints the lines for curl's `--data-binary @-`. */
export function printLines(lines: readonly string[]): string {
  return `printf '%s\\r\\n' ${lines.map(shellQuoted).join(" ")}`;
}
