import { writeIndentedJson } from "../json/write-json.ts";
import type { SampleField } from "../openapi/described-content.ts";
import { encodeFormPart } from "../openapi/percent-encoding.ts";
import { curlForm, isOrdinaryForm, listFileNotes, printLines, type WrittenLines, writeLines } from "./multipart.ts";
import type { SampleRequest } from "./sample-request.ts";
import { shellQuoted } from "./shell-words.ts";

/** One comment per reason why the code does not send everything. */
export function comments(sign: string, notes: readonly string[] = []): string[] {
  return notes.map((note) => `${sign} ${note.replace(/\s+/g, " ")}`);
}

const isLatin1 = (text: string) => /^[\0-\xff]*$/.test(text);

/** The engine refuses them, too. */
export function unsendableHeaders({ headers }: SampleRequest): string[] {
  return headers
    .filter(({ value }) => !isLatin1(value))
    .map(({ name }) => `The value of ${name} has characters that HTTP can't send in a header.`);
}

/** HTTP reads headers as ISO-8859-1, which a test sends; a shell would pass UTF-8. */
export function curlHeader(name: string, value: string): string {
  // curl removes a header without a value, unless it ends with a semicolon.
  const line = value === "" ? `${name};` : `${name}: ${value}`;
  if (!isLatin1(line) || /^[\0-\x7f]*$/.test(line)) return shellQuoted(line);
  const escaped = line
    .replace(/[\\%]/g, (sign) => (sign === "%" ? "%%" : "\\\\"))
    .replace(/[\x80-\xff]/g, (letter) => `\\${letter.charCodeAt(0).toString(8)}`);
  return `"$(printf ${shellQuoted(escaped)})"`;
}

export function curl(request: SampleRequest): string {
  const { method, url, headers, body, basic, notes = [] } = request;
  const isHead = method === "HEAD" && !body;
  const option = isHead ? " --head" : method === "GET" && !body ? "" : ` -X ${shellWord(method)}`;
  // curl takes brackets and braces for a range.
  const written = getWrittenLines(body, isOrdinaryForm);
  const piped = written ? `${printLines(written.lines)} | ` : "";
  const parts = [`${piped}curl${option}${/[[\]{}]/.test(url) ? " --globoff" : ""} ${shellQuoted(url)}`];
  if (basic) parts.push(`-u ${shellQuoted(`${basic.username}:${basic.password}`)}`);
  // curl writes the boundary of a multipart body into its own header.
  for (const { name, value } of withContentType(headers, written)) parts.push(`-H ${curlHeader(name, value)}`);
  for (const argument of written ? ["--data-binary @-"] : curlBody(body)) parts.push(argument);
  return [
    ...comments("#", [...notes, ...unsendableHeaders(request), ...listNotes(body, written)]),
    parts.join(" \\\n  "),
  ].join("\n");
}

/** The lines of a multipart body that the language can't write by itself as a test does. */
export function getWrittenLines(
  body: SampleRequest["body"],
  isWrittenAlike: typeof isOrdinaryForm,
): WrittenLines | undefined {
  return body?.kind === "multipart" && !isWrittenAlike(body) ? writeLines(body) : undefined;
}

export function listNotes(body: SampleRequest["body"], written: WrittenLines | undefined): string[] {
  return written && body?.kind === "multipart" ? listFileNotes(body) : [];
}

export function withContentType(headers: SampleRequest["headers"], written: WrittenLines | undefined) {
  return written ? [...headers, { name: "Content-Type", value: written.contentType }] : headers;
}

function shellWord(text: string): string {
  return /^[\w-]+$/.test(text) ? text : shellQuoted(text);
}

function curlBody(body: SampleRequest["body"]): string[] {
  switch (body?.kind) {
    case undefined:
      return [];
    case "json":
      return [`--data ${shellQuoted(writeIndentedJson(body.value))}`];
    case "text":
      return [`--data-raw ${shellQuoted(body.text)}`];
    case "file":
      return [`--data-binary ${shellQuoted(`@${body.chosenFile}`)}`];
    case "form":
      return body.fields.every(isEncodedAlikeByCurl)
        ? body.fields.map(({ name, value }) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`)
        : [`--data-raw ${shellQuoted(writeForm(body.fields))}`];
    case "multipart":
      return curlForm(body);
  }
}

/** As a test encodes it. Each client differs in a few characters, so its own encoding is used where it is the same. */
export function writeForm(fields: readonly SampleField[]): string {
  return fields.map(({ name, value }) => `${encodeFormPart(name)}=${encodeFormPart(value)}`).join("&");
}

function isEncodedAlikeByCurl({ name, value }: SampleField): boolean {
  return /^[\w.-]+$/.test(name) && !/[ *]/.test(value);
}
