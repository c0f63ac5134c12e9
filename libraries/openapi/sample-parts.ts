import { getMember, isRecord, toList } from "../json/json-value.ts";
import type { DescribedContent, SampleContext, SampleField } from "./described-content.ts";
import { fileMediaType, isFormData } from "./multipart-part.ts";
import { type Components, formatValue } from "./parameter.ts";
import { listSchemaTypes } from "./parameter-value.ts";
import { makeSample } from "./sample/sampler.ts";
import { writeXml } from "./xml/write-xml.ts";
import { isXmlType } from "./xml/xml-shape.ts";

/** The name that a file of a form is sent with. */
export function getFileName(field: string): string {
  return `${field.slice(0, 200) || "file"}.bin`;
}

type ToFormFields = (sample: unknown, encoding: unknown) => SampleField[];

/**
 * OpenAPI, "Encoding multipart Media Types": each item of a list is a separate part, a list itself has a part for each
 * position.
 * @param styled writes a property whose encoding has a style, as a form would, where the version and kind allow that
 */
export function multipartFields(
  { mediaType, sample, schema, encoding, prefixEncoding, itemEncoding }: DescribedContent,
  context: SampleContext,
  styled: ToFormFields | undefined,
): SampleField[] {
  const { components = {} } = context;
  const resolved = resolveSchema(schema, components);
  if (Array.isArray(sample)) {
    // A form has names only.
    if (isFormData(mediaType)) return [];
    const prefixes = toList(getMember(resolved, "prefixItems"));
    return sample.map((value, index) => {
      const item = prefixes[index] ?? getMember(resolved, "items");
      return toField("", value, item, toList(prefixEncoding)[index] ?? itemEncoding, context);
    });
  }
  if (!isRecord(sample)) return [];
  return Object.entries(sample).flatMap(([name, value]) => {
    if (name.trim() === "") return [];
    const own = getMember(encoding, name);
    const isStyled = ["style", "explode", "allowReserved"].some((member) => getMember(own, member) !== undefined);
    if (styled && isStyled && typeof value === "object") return styled({ [name]: value }, encoding);
    const property = findProperty(resolved, name, components);
    if (!Array.isArray(value)) return [toField(name, value, property, own, context)];
    const items = getMember(resolveSchema(property, components), "items");
    return value.map((item) => toField(name, item, items, own, context));
  });
}

export function toField(
  name: string,
  value: unknown,
  raw: unknown,
  encoding: unknown,
  context: SampleContext,
): SampleField {
  const { components = {} } = context;
  const schema = resolveSchema(raw, components);
  const transferEncoding = getTransferEncoding(schema, context);
  const file = isFile(value, schema, transferEncoding, context);
  const standard = file ? fileMediaType : getDefaultType(value, schema, transferEncoding, components);
  const contentMediaType = getMember(schema, "contentMediaType");
  const own = typeof contentMediaType === "string" ? contentMediaType : standard;
  const mediaType = chooseType(getMember(encoding, "contentType"), own);
  const headers = listHeaders(encoding, transferEncoding, components);
  const isUnsaid = mediaType === (file ? fileMediaType : "text/plain");
  return {
    name,
    value: toPartText(name, value, { raw, mediaType, components }),
    file,
    ...(isUnsaid ? {} : { mediaType }),
    ...(headers.length > 0 ? { headers } : {}),
  };
}

/** A part as its media type writes it: a text of JSON in quotes, an object or list of XML as its schema says. */
function toPartText(
  name: string,
  value: unknown,
  { raw, mediaType, components }: { raw: unknown; mediaType: string; components: Components },
): string {
  if (isJson(mediaType) && typeof value === "string") return JSON.stringify(value);
  if (!isXmlType(mediaType) || typeof value !== "object" || value === null) return formatValue(value);
  return writeXml(value, raw ?? {}, { find: (reference) => components[reference] }, name || undefined);
}

const isJson = (mediaType: string) => /[/+]json\b/i.test(mediaType);

/** Follows references; each component once. */
export function resolveSchema(schema: unknown, components: Components): unknown {
  const seen = new Set<string>();
  let current = schema;
  for (;;) {
    const reference = getMember(current, "$ref");
    if (typeof reference !== "string" || seen.has(reference)) return current;
    seen.add(reference);
    current = components[reference];
  }
}

/** A property of a schema or of the ones that it is combined of. */
function findProperty(schema: unknown, name: string, components: Components, depth = 0): unknown {
  const own = getMember(getMember(schema, "properties"), name);
  if (own !== undefined || depth > 8) return own;
  for (const combination of ["allOf", "oneOf", "anyOf"]) {
    for (const part of toList(getMember(schema, combination))) {
      const found = findProperty(resolveSchema(part, components), name, components, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const isBefore31 = ({ specificationVersion = "" }: SampleContext) => /^(2|3\.0)/.test(specificationVersion);

/** 3.1: `contentEncoding`; before, `format: byte` says the same (3.0.4, "Encoding multipart Media Types"). */
export function getTransferEncoding(schema: unknown, context: SampleContext): string | undefined {
  const contentEncoding = getMember(schema, "contentEncoding");
  if (typeof contentEncoding === "string" && !/^(binary|identity|7bit|8bit)$/i.test(contentEncoding)) {
    return contentEncoding;
  }
  return isBefore31(context) && getMember(schema, "format") === "byte" ? "base64" : undefined;
}

/**
 * `format: binary` is a file in every version, since documents of 3.1 are still written with it; so is a text with a media
 * type of its own. From 3.1 on a schema that says nothing stands for bytes.
 */
function isFile(
  value: unknown,
  schema: unknown,
  transferEncoding: string | undefined,
  context: SampleContext,
): boolean {
  if (transferEncoding !== undefined || !isRecord(schema)) return false;
  const { type, format, contentMediaType } = schema;
  if (format === "binary" || type === "file") return true;
  if (typeof contentMediaType === "string") return !isJson(contentMediaType);
  return typeof value === "string" && isEmpty(schema) && /^3\.[1-9]/.test(context.specificationVersion ?? "");
}

const annotations = new Set([
  "title",
  "description",
  "deprecated",
  "readOnly",
  "writeOnly",
  "examples",
  "example",
  "$comment",
]);

const isEmpty = (schema: object) => Object.keys(schema).every((key) => annotations.has(key) || key.startsWith("x-"));

/** The tables of the Encoding Object (3.0.4, 3.1.1 and 3.2), for what is no file. */
function getDefaultType(
  value: unknown,
  schema: unknown,
  transferEncoding: string | undefined,
  components: Components,
): string {
  if (transferEncoding !== undefined) return fileMediaType;
  const types = listSchemaTypes(schema, components);
  if (isRecord(value) || Array.isArray(value)) return "application/json";
  // Of a schema that allows several types the value says which.
  return types.length > 0 && types.every((type) => type === "object" || type === "array")
    ? "application/json"
    : "text/plain";
}

/** The first type of the list; for a range one that it allows. */
function chooseType(contentType: unknown, standard: string): string {
  if (typeof contentType !== "string") return standard;
  const listed = contentType.split(",").map((one) => one.trim());
  const exact = listed.find((one) => /^[\x20-\x7e]{1,200}$/.test(one) && !one.includes("*"));
  if (exact) return exact;
  const [range] = listed;
  if (!range || range === "*/*" || standard.startsWith(range.replace("*", ""))) return standard;
  return inRange[range.toLowerCase()] ?? standard;
}

const inRange: Record<string, string> = {
  "image/*": "image/png",
  "audio/*": "audio/mpeg",
  "video/*": "video/mp4",
  "text/*": "text/plain",
  "application/*": fileMediaType,
  "font/*": "font/woff2",
};

/** Those with a value that the document gives, and required ones. Content-Type has its own member. */
function listHeaders(
  encoding: unknown,
  transferEncoding: string | undefined,
  components: Components,
): { name: string; value: string }[] {
  const described = getMember(encoding, "headers");
  const headers = Object.entries(isRecord(described) ? described : {}).flatMap(([name, header]) => {
    if (/^content-type$/i.test(name) || !isHeaderName.test(name) || !isRecord(header)) return [];
    const value = sampleHeader(header, components);
    return value === undefined ? [] : [{ name, value: toHeaderText(value) }];
  });
  const isSet = headers.some(({ name }) => /^content-transfer-encoding$/i.test(name));
  if (transferEncoding !== undefined && !isSet)
    headers.push({ name: "Content-Transfer-Encoding", value: transferEncoding });
  return headers.slice(0, maxHeaders);
}

const maxHeaders = 20;
/** RFC 9110, 5.6.2. */
const isHeaderName = /^[!#$%&'*+.^_`|~\w-]{1,200}$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the line of a header
const unprintable = /[\s\0-\x1f\x7f]+/g;

function toHeaderText(value: unknown): string {
  return formatValue(value).replace(unprintable, " ").trim().slice(0, 2_000);
}

function sampleHeader(header: Record<string, unknown>, components: Components): unknown {
  const { example, examples, schema, required } = header;
  if (example !== undefined) return example;
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  const named = getMember(first, "value");
  if (named !== undefined) return named;
  const resolved = resolveSchema(schema, components);
  const isGiven = ["example", "examples", "default", "const", "enum"].some(
    (key) => getMember(resolved, key) !== undefined,
  );
  if (!isGiven && required !== true) return undefined;
  return makeSample(schema ?? {}, "request", { find: (reference) => components[reference] })?.value;
}
