import { getMember, isRecord, toText } from "#libraries/json/json-value.ts";
import { findLoneSurrogates } from "../../kit/service/malformed-text.ts";
import type { DocumentBytes } from "../domain/imported-document.ts";
import type { RequestFields } from "./import-messages.ts";

/** The request is not one of the forms the contract describes. */
export class MalformedSource extends Error {
  constructor(
    message: string,
    /** The field to correct; absent when the body as a whole cannot be read. */
    readonly path?: string,
  ) {
    super(message);
  }
}

export interface RequestSource {
  source: DocumentBytes;
  fields: RequestFields;
}

/** Reads the document and the other fields from a JSON or multipart body. @throws MalformedSource */
export async function readRequestSource(body: Uint8Array, contentType: string): Promise<RequestSource> {
  return /^multipart\/form-data\b/i.test(contentType) ? await readForm(body, contentType) : readJson(body);
}

function readJson(body: Uint8Array): RequestSource {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new MalformedSource("The body is not valid JSON.");
  }
  if (!isRecord(value)) throw new MalformedSource("The body has to be a JSON object.");
  requireWholeCharacters(value);
  const isBare = value.source === undefined;
  const source = isBare ? value : value.source;
  const path = isBare ? "" : "source.";
  const { name, baseUrl, tags } = value;
  return { source: toSource(source, path), fields: { name, baseUrl, tags } };
}

/** Larger than any request without a document. */
const maxBytesWithoutDocument = 64 * 1024;

/** The id of a staged source, if the request names one instead of a document. */
export function stagedSourceIn(body: readonly Uint8Array[], contentType: string): string | undefined {
  if (!/json/i.test(contentType) || body.reduce((sum, { length }) => sum + length, 0) > maxBytesWithoutDocument) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(body).toString());
    const staged = getMember(getMember(value, "source") ?? value, "staged");
    return typeof staged === "string" && isUuid(staged) ? staged : undefined;
  } catch {
    return undefined;
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The fields of a request whose document was submitted earlier. */
export function readFields(body: Uint8Array): RequestFields {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  requireWholeCharacters(value);
  return { name: getMember(value, "name"), baseUrl: getMember(value, "baseUrl"), tags: getMember(value, "tags") };
}

/** @throws MalformedSource */
function requireWholeCharacters(value: unknown): void {
  const [first] = findLoneSurrogates(value);
  if (first) throw new MalformedSource(first.message, first.path);
}

function toSource(source: unknown, path: string): DocumentBytes {
  const document = getMember(source, "document");
  if (typeof document === "string" && document !== "") {
    return {
      kind: "given",
      bytes: new TextEncoder().encode(document),
      fileName: toText(getMember(source, "fileName")) || undefined,
      files: getFiles(getMember(source, "files"), `${path}files`),
    };
  }
  if (document !== undefined) throw new MalformedSource("Paste the document or choose its file", `${path}document`);
  return toUrl(getMember(source, "url"), `${path}url`);
}

function toUrl(value: unknown, path: string): DocumentBytes {
  const url = toText(value).trim();
  if (url === "") throw new MalformedSource("Enter the address of the document, its file or its text", path);
  if (url.length > 4_000 || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new MalformedSource("Enter a full URL, e.g. https://api.example.com/openapi.json", path);
  }
  return { kind: "address", url: new URL(url).href };
}

function getFiles(value: unknown, path: string): Map<string, Uint8Array> {
  if (value === undefined) return new Map();
  if (!isRecord(value)) throw new MalformedSource("Enter the files as an object of texts by their paths.", path);
  const entries = Object.entries(value).map(([name, text]) => {
    if (typeof text !== "string") throw new MalformedSource("Each file has to be a text.", path);
    return [name, new TextEncoder().encode(text)] as const;
  });
  return new Map(entries);
}

async function readForm(body: Uint8Array, contentType: string): Promise<RequestSource> {
  let form: FormData;
  try {
    form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new MalformedSource("The multipart body can't be read.");
  }
  const texts = (name: string) => form.getAll(name).filter((one) => typeof one === "string");
  const tags = [...texts("tags").flatMap((one) => one.split(",")), ...texts("tag")];
  const given = tags.map((tag) => tag.trim()).filter((tag) => tag !== "");
  const fields: RequestFields = { name: textField(form, "name"), baseUrl: textField(form, "baseUrl"), tags: given };
  const document = form.getAll("document").find((one) => (typeof one === "string" ? one.trim() !== "" : one.size > 0));
  if (document === undefined) return { source: toUrl(textField(form, "url"), "source.url"), fields };
  const files = new Map<string, Uint8Array>();
  for (const file of form.getAll("files")) {
    if (typeof file !== "string" && file.size > 0) files.set(file.name, new Uint8Array(await file.arrayBuffer()));
  }
  const isText = typeof document === "string";
  return {
    source: {
      kind: "given",
      bytes: isText ? new TextEncoder().encode(document) : new Uint8Array(await document.arrayBuffer()),
      fileName: (isText ? textField(form, "fileName") : document.name) || undefined,
      files,
    },
    fields,
  };
}

/** An empty form field is an omitted one. */
function textField(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
