import type { MediaTypeContent, OperationParameter } from "#contracts/api-registry/operations.ts";
import type { Pair, TestRequest } from "#contracts/test-registry/requests.ts";
import { getMember } from "../json/json-value.ts";
import { parseJson, UnreadableJson } from "../json/parse-json.ts";
import { findDocumentedContent } from "../judging/documented-response.ts";
import { parseMediaType } from "../judging/media-type.ts";
import { getMovedPrefix, joinBaseUrl, moveBaseUrl } from "../openapi/comparison/moved-prefix.ts";
import type { SampleFault } from "../openapi/sample/sample-fault.ts";
import { ValueChecker } from "../openapi/sample/value-checker.ts";
import { listSchemaParts } from "../openapi/schema-parts.ts";
import type { OperationVersion } from "./operation-version.ts";

const lists: [location: OperationParameter["in"], list: "pathParameters" | "query" | "headers" | "cookies"][] = [
  ["path", "pathParameters"],
  ["query", "query"],
  ["header", "headers"],
  ["cookie", "cookies"],
];
const maxFaults = 10;

/** What of a request the new version refuses, and the one before did not. */
export function reviewRequest(request: TestRequest, before: OperationVersion, after: OperationVersion): string[] {
  const sentences: string[] = [];
  for (const [location, list] of lists) {
    const sent = request[list].filter(({ enabled }) => enabled);
    sentences.push(...reviewParameters(sent, location, before, after));
  }
  sentences.push(...reviewBody(request, before, after), ...reviewBaseUrl(request, before, after));
  if (request.authorization.kind === "credentials") {
    for (const { schemeName } of request.authorization.bindings) {
      const asks = ({ operation }: OperationVersion) =>
        operation.security.some((all) => all.some((one) => one.schemeName === schemeName));
      if (asks(before) && !asks(after))
        sentences.push(`It authorizes as "${schemeName}", which is no longer accepted.`);
    }
  }
  return sentences;
}

/** A base URL of the test's own follows a prefix that moved, where it can. */
function reviewBaseUrl({ baseUrl }: TestRequest, before: OperationVersion, after: OperationVersion): string[] {
  const [old, now] = [before, after].map(({ operation }) => operation.path);
  const moved = getMovedPrefix(old!, now!);
  if (!baseUrl?.trim() || !moved || moveBaseUrl(baseUrl, moved) !== undefined) return [];
  return [
    `Its own base URL stays, so it is sent to ${joinBaseUrl(baseUrl, now!)} and no longer to ${joinBaseUrl(baseUrl, old!)}.`,
  ];
}

function reviewParameters(
  sent: readonly Pair[],
  location: OperationParameter["in"],
  before: OperationVersion,
  after: OperationVersion,
): string[] {
  const isSame = (one: string, other: string) =>
    location === "header" ? one.toLowerCase() === other.toLowerCase() : one === other;
  const find = ({ operation }: OperationVersion, name: string) =>
    operation.parameters.find((one) => one.in === location && isSame(one.name, name));
  const sentences: string[] = [];
  for (const { name, value } of sent) {
    const [old, now] = [find(before, name), find(after, name)];
    // Names of path parameters follow the path.
    if (old && !now && location !== "path")
      sentences.push(`It sends the ${location} parameter "${name}", which was removed.`);
    if (old && now && allows(old, value, before) && !allows(now, value, after)) {
      sentences.push(`The ${location} parameter "${name}" can no longer be ${JSON.stringify(value)}.`);
    }
  }
  for (const { name, required, in: where } of after.operation.parameters) {
    if (where !== location || !required || location === "path" || sent.some((one) => isSame(one.name, name))) continue;
    if (!find(before, name)?.required)
      sentences.push(`It lacks the ${location} parameter "${name}", which is required now.`);
  }
  return sentences;
}

/** Whether a text may be a value of a parameter; lists and variables always. */
function allows({ schema }: OperationParameter, text: string, { source }: OperationVersion): boolean {
  if (schema === undefined || text.includes("{{")) return true;
  const types = listSchemaParts([schema], source, { alternatives: true }).flatMap(({ type }) => [type].flat());
  if (types.includes("array") || types.includes("object")) return true;
  const checker = new ValueChecker("request", source);
  return [text, ...readScalar(text)].some((value) => checker.isValid(value, schema));
}

function readScalar(text: string): unknown[] {
  return /^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text) ? [readJson(text)] : [];
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

function reviewBody({ body }: TestRequest, before: OperationVersion, after: OperationVersion): string[] {
  const needs = ({ operation }: OperationVersion) => operation.requestBody?.required === true;
  if (body.kind === "none")
    return needs(after) && !needs(before) ? ["It lacks a request body, which is required now."] : [];
  const mediaType = getMediaType(body);
  const find = ({ operation }: OperationVersion): MediaTypeContent | undefined => {
    const parsed = parseMediaType(mediaType);
    return parsed && findDocumentedContent(operation.requestBody?.content ?? [], parsed);
  };
  const [old, now] = [find(before), find(after)];
  if (old && !now) return [`The request body can no longer be ${mediaType}.`];
  if (body.kind !== "json" || old?.schema === undefined || now?.schema === undefined) return [];
  const value = readJson(body.text);
  if (value === undefined) return [];
  const listFaults = ({ source }: OperationVersion, schema: unknown) =>
    new ValueChecker("request", source).listFaults(value, schema);
  const known = new Set(listFaults(before, old.schema).map(toKey));
  const sentences = listFaults(after, now.schema)
    .filter((fault) => !known.has(toKey(fault)) && fault.keyword !== "unknownPattern" && !hasVariable(value, fault))
    .map((fault) => describeFault(fault, value, now.schema, after));
  return [...new Set(sentences)].slice(0, maxFaults);
}

function getMediaType(body: Exclude<TestRequest["body"], { kind: "none" }>): string {
  if (body.kind === "form") return "application/x-www-form-urlencoded";
  return body.mediaType ?? (body.kind === "json" ? "application/json" : "multipart/form-data");
}

const toKey = ({ path, keyword }: SampleFault) => `${keyword} ${path.join("\n")}`;

function hasVariable(value: unknown, { path, keyword }: SampleFault): boolean {
  const found = getAt(value, path);
  return keyword !== "required" && typeof found === "string" && found.includes("{{");
}

function getAt(value: unknown, path: SampleFault["path"]): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof step === "number" ? (at as unknown[] | undefined)?.[step] : getMember(at, step)),
    value,
  );
}

const words: Record<string, string> = {
  type: "is of another type than documented now",
  enum: "is no longer one of the documented values",
  const: "is no longer the documented value",
  bounds: "is out of the documented bounds now",
  length: "is longer or shorter than documented now",
  pattern: "no longer matches the documented pattern",
  format: "no longer has the documented format",
  required: "lacks a member that is required now",
  false: "is refused now",
};

function describeFault(fault: SampleFault, value: unknown, schema: unknown, { source }: OperationVersion): string {
  const { path, keyword } = fault;
  const name = path.length === 0 ? "The request body" : `"${path.join(".")}" of the request body`;
  if (keyword === "required" && path.length === 0) {
    const required = listSchemaParts([schema], source).flatMap((part) => (part.required as string[] | undefined) ?? []);
    const missing = required.filter((one) => getMember(value, one) === undefined);
    if (missing.length > 0) return `${name} lacks "${missing.join('", "')}", which is required now.`;
  }
  return `${name} ${words[keyword] ?? "no longer matches its schema"}.`;
}
