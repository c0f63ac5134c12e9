import { ExactNumber } from "../json/exact-number.ts";
import { joinJson } from "../json/json-texts.ts";
import { getMember, isRecord } from "../json/json-value.ts";
import type { DescribedContent, SampleContext, SampleField } from "./described-content.ts";
import { isFormData, toMultipartType } from "./multipart-part.ts";
import { formatValue, getDelimiter } from "./parameter.ts";
import { deepPairs } from "./parameter-style.ts";
import { multipartFields } from "./sample-parts.ts";
import { writeXml } from "./xml/write-xml.ts";
import { isXmlType } from "./xml/xml-shape.ts";

export type SampleBody =
  | { kind: "json"; mediaType: string; value: unknown }
  | { kind: "form" | "multipart"; mediaType: string; fields: SampleField[] }
  /** `text` is undefined when no value is known. */
  | { kind: "text"; mediaType: string; text: string | undefined };

const isJson = (mediaType: string) => /[/+]json\b/i.test(mediaType);
const isJsonPatch = (mediaType: string) => /^application\/json-patch\+json\b/i.test(mediaType);
const isForm = (mediaType: string) => /^application\/x-www-form-urlencoded\b/i.test(mediaType);
const isMultipart = (mediaType: string) => /^multipart\//i.test(mediaType);

/** Preference of media types: easiest to send, edit and judge first. */
const ranks: ((mediaType: string) => boolean)[] = [
  (mediaType) => /^[^;]*\/json\b/i.test(mediaType),
  isJson,
  isForm,
  (mediaType) => /^multipart\/form-data\b/i.test(mediaType),
  isMultipart,
  (mediaType) => /^text\//i.test(mediaType),
  () => true,
];

/** The preferred media type; the first of equals. */
export function preferredContent<Content extends DescribedContent>(contents: readonly Content[]): Content | undefined {
  for (const fits of ranks) {
    const found = contents.find(({ mediaType }) => fits(mediaType));
    if (found) return found;
  }
  return undefined;
}

/** A body of this media type with the sample as its value; XML as its schema says. A wildcard is sent as JSON or text. */
export function sampleBody(content: DescribedContent, context: SampleContext = {}): SampleBody {
  const { mediaType, encoding } = content;
  const sample: unknown = joinJson(content.sample, content.sampleJson);
  if (isForm(mediaType)) return { kind: "form", mediaType, fields: formFields(sample, encoding) };
  if (isMultipart(mediaType)) {
    const sent = toMultipartType(mediaType);
    const styled = followsStyles(sent, context) ? formFields : undefined;
    return {
      kind: "multipart",
      mediaType: sent,
      fields: multipartFields({ ...content, sample, mediaType: sent }, context, styled),
    };
  }
  const isWildcard = mediaType.includes("*");
  if (isJson(mediaType) || (isWildcard && sample !== undefined && typeof sample !== "string")) {
    return {
      kind: "json",
      mediaType: isWildcard ? "application/json" : mediaType,
      value: toJsonPatch(mediaType, sample),
    };
  }
  return {
    kind: "text",
    mediaType: isWildcard ? "text/plain" : mediaType,
    text: typeof sample === "string" ? sample : toXml({ ...content, sample }, context),
  };
}

/** @returns undefined for another media type, and without a value or a schema */
function toXml(
  { mediaType, schema, sample }: DescribedContent,
  { components = {} }: SampleContext,
): string | undefined {
  if (!isXmlType(mediaType) || schema === undefined || sample === undefined) return undefined;
  return writeXml(sample, schema, { find: (reference) => components[reference] });
}

/** A JSON patch is a list (RFC 6902), whatever its schema says; an empty one changes nothing. */
function toJsonPatch(mediaType: string, sample: unknown): unknown {
  if (!isJsonPatch(mediaType) || sample === undefined || Array.isArray(sample)) return sample;
  return getMember(sample, "op") === undefined ? [] : [sample];
}

/** OpenAPI, "Encoding the x-www-form-urlencoded Media Type": like a query when the encoding sets a style. */
function formFields(sample: unknown, encoding: unknown): SampleField[] {
  return listMembers(sample).flatMap(([name, value]) => {
    const { style, explode } = getEncoding(encoding, name);
    const field = ([fieldName, text]: [string, string]): SampleField => ({ name: fieldName, value: text, file: false });
    if (style === "deepObject" && typeof value === "object" && !(value instanceof ExactNumber))
      return deepPairs(name, value).map(field);
    if (Array.isArray(value)) {
      const items = value.map(formatValue);
      return explode ? items.map((item) => field([name, item])) : [field([name, items.join(getDelimiter(style))])];
    }
    // Objects are sent as JSON unless the encoding defines otherwise.
    if (isRecord(value) && style !== undefined) {
      const members = Object.entries(value).map(([member, item]): [string, string] => [member, formatValue(item)]);
      return explode ? members.map(field) : [field([name, members.flat().join(getDelimiter(style))])];
    }
    return [field([name, formatValue(value)])];
  });
}

function getEncoding(encoding: unknown, name: string): { style: string | undefined; explode: boolean } {
  const own = getMember(encoding, name);
  const style = getMember(own, "style");
  const explode = getMember(own, "explode");
  return {
    style: typeof style === "string" ? style : undefined,
    explode: typeof explode === "boolean" ? explode : style === undefined || style === "form",
  };
}

/** Before 3.1 a style in an encoding counts for `application/x-www-form-urlencoded` alone; 2.0 had one for both. */
function followsStyles(mediaType: string, { specificationVersion }: SampleContext): boolean {
  return isFormData(mediaType) && !specificationVersion?.startsWith("3.0");
}

function listMembers(sample: unknown): [string, unknown][] {
  return isRecord(sample) ? Object.entries(sample).filter(([name]) => name.trim() !== "") : [];
}
