import type { Json } from "../../json/json.ts";
import { isRecord, type JsonRecord, toTexts } from "../../json/json-value.ts";
import { parseJson, UnreadableJson } from "../../json/parse-json.ts";
import { listSchemasOf } from "../../openapi/sample/check-object.ts";
import type { SampleFault, ValuePath } from "../../openapi/sample/sample-fault.ts";
import { isHiddenIn, type SampleSource } from "../../openapi/sample/sample-source.ts";
import { ValueChecker } from "../../openapi/sample/value-checker.ts";
import { flattenSchema } from "../../openapi/schema-parts.ts";
import { describeValue, type Show } from "../describe-value.ts";
import { findDocumentedContent } from "../documented-response.ts";
import type { JudgedResponse } from "../judged-response.ts";
import { isJson, parseMediaType } from "../media-type.ts";
import { explainFault } from "./broken-rule-words.ts";
import { listSentParameters } from "./sent-parameters.ts";

/** What a sent request breaks of its document: "Accepted {what} although {why}". */
export interface BrokenRequest {
  /** `` `title: 5` ``, with secrets redacted. */
  what: string;
  /** "a string is documented". */
  why: string;
}

/** Characters of a body that is read for one sentence. */
const longestBody = 32_768;

/** The first rule of the document that the request breaks; undefined where it seems to keep to the document. */
export function findBrokenRequest(judged: JudgedResponse): BrokenRequest | undefined {
  return findBrokenParameter(judged) ?? findBrokenBody(judged);
}

function findBrokenParameter(judged: JudgedResponse): BrokenRequest | undefined {
  const { operation } = judged;
  if (!operation) return undefined;
  for (const { parameter, value, isSent } of listSentParameters(judged)) {
    const place =
      parameter.in === "path" ? "path parameter" : parameter.in === "query" ? "query parameter" : parameter.in;
    if (!isSent) {
      if (!parameter.required) continue;
      return { what: `a request without the ${place} \`${parameter.name}\``, why: "it is required" };
    }
    if (value === undefined || parameter.schema === undefined) continue;
    const broken = findBroken(value, parameter.schema, parameter.name, judged);
    if (broken)
      return {
        ...broken,
        what: `${broken.what} in the ${place === "header" || place === "cookie" ? place : parameter.in}`,
      };
  }
  return undefined;
}

function findBrokenBody(judged: JudgedResponse): BrokenRequest | undefined {
  const { operation, input } = judged;
  const documented = operation?.operation.requestBody;
  if (!documented || documented.content.length === 0 || !input.request) return undefined;
  const { body, bodyBytes, headers } = input.request;
  // It was not stored, or not as text.
  if (body === null && bodyBytes > 0) return undefined;
  if (body === null || body === "") {
    return documented.required ? { what: "a request without a body", why: "one is required" } : undefined;
  }
  const [, sent = ""] = headers.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  const actual = parseMediaType(sent);
  const content = actual && findDocumentedContent(documented.content, actual);
  if (!actual || !content) {
    const types = documented.content.map(({ mediaType }) => mediaType).slice(0, 5);
    const verb = types.length === 1 ? "is" : "are";
    return { what: `a body of the type \`${sent}\``, why: `${types.join(", ")} ${verb} documented` };
  }
  if (!isJson(actual) || body.length > longestBody) return undefined;
  try {
    const value = parseJson(body);
    return content.schema === undefined ? undefined : findBroken(value, content.schema, undefined, judged);
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { what: "a body that is no JSON", why: `${content.mediaType} is documented` };
  }
}

/** @param name of a parameter; undefined for a body */
function findBroken(
  value: unknown,
  schema: unknown,
  name: string | undefined,
  judged: JudgedResponse,
): BrokenRequest | undefined {
  const components = judged.operation?.components ?? {};
  const source: SampleSource = { find: (reference) => components[reference] };
  const fault = new ValueChecker("request", source)
    .listFaults(value, schema)
    .find(({ keyword }) => keyword !== "unknownPattern");
  if (!fault) return undefined;
  const show: Show = (one) => judged.show(one);
  const place = nameOf(fault.path, name);
  if (fault.keyword === "required") {
    const missing = findMissing(valueAt(value, fault.path), schemaAt(schema, fault.path, source), source);
    const path = missing === undefined ? place : nameOf([...fault.path, missing], name);
    return { what: `${name === undefined ? "a body" : "a request"} without \`${path}\``, why: "it is required" };
  }
  const found = valueAt(value, fault.path);
  const why = explainFault(fault.keyword, schemaAt(schema, fault.path, source), found);
  return { what: `\`${place === "" ? "" : `${place}: `}${describeValue(found as Json, show)}\``, why };
}

function findMissing(value: unknown, schema: JsonRecord, source: SampleSource): string | undefined {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return toTexts(schema.required).find(
    (name) => isRecord(value) && !Object.hasOwn(value, name) && !isHiddenIn("request", properties[name], source),
  );
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>((part, step) => {
    if (Array.isArray(part)) return part[Number(step)];
    return isRecord(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }, value);
}

/** The keywords at a place, as far as no alternatives lead to it. */
function schemaAt(schema: unknown, path: SampleFault["path"], source: SampleSource): JsonRecord {
  let flat = flattenSchema(schema, source) ?? {};
  for (const step of path) {
    const next = typeof step === "number" ? flat.items : listSchemasOf(step, flat)[0];
    flat = flattenSchema(next, source) ?? {};
  }
  return flat;
}

function nameOf(path: ValuePath, name: string | undefined): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return name === undefined ? steps.replace(/^\./, "") : `${name}${steps}`;
}
