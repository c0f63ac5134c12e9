import type { Consumer, OperationKey } from "#contracts/api-registry/resources.ts";
import type { ReceivedResponse, SentRequest } from "#contracts/test-executioner/attempts.ts";
import { ExactNumber } from "#libraries/json/exact-number.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { parseJson } from "#libraries/json/parse-json.ts";
import { isJson, parseMediaType } from "#libraries/judging/media-type.ts";
import { toPointer } from "../graph/find-consumers.ts";
import { anyItem, toJsonPath } from "../graph/members.ts";
import { toSegments } from "../graph/operation-facts.ts";
import { type IdentifyingValue, readIdentifier } from "./identifying-values.ts";

/** A value of a request. */
export interface SentValue {
  in: Exclude<Consumer["in"], "cookie">;
  /** As a Consumer's. */
  name: string;
  /** Of the parameter, or of the body's innermost member. */
  ownName: string;
  text: string;
}

/** An identifier of a response's body. */
export interface GivenValue extends IdentifyingValue {
  /** JSONPath (RFC 9535), with `[*]` for any item of a list. */
  path: string;
  ownName: string;
}

const maxDepth = 8;
/** Positions of one body; of a list the first 100 items. */
const maxPositions = 5_000;
const maxItems = 100;

interface Position {
  value: unknown;
  steps: readonly string[];
}

/** The texts and numbers of a body, the outermost first. */
function listScalars(body: unknown): Position[] {
  const positions: Position[] = [{ value: body, steps: [] }];
  const scalars: Position[] = [];
  for (let at = 0; at < positions.length && at < maxPositions; at += 1) {
    const { value, steps } = positions[at]!;
    if (typeof value === "string" || typeof value === "number" || value instanceof ExactNumber) {
      scalars.push({ value, steps });
    } else if (steps.length >= maxDepth) {
      // Deeper members are not read.
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, maxItems)) positions.push({ value: item, steps: [...steps, anyItem] });
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) positions.push({ value: member, steps: [...steps, name] });
    }
  }
  return scalars;
}

const toOwnName = (steps: readonly string[]) => steps.findLast((step) => step !== anyItem) ?? "";

function readJsonBody(headers: SentRequest["headers"], body: string | null): unknown {
  const [, contentType = ""] = headers.find(([name]) => name.toLowerCase() === "content-type") ?? [];
  const mediaType = parseMediaType(contentType);
  if (body === null || !mediaType || !isJson(mediaType)) return undefined;
  try {
    return parseJson(body);
  } catch {
    // Of a long body only the beginning is stored.
    return undefined;
  }
}

/** The identifiers that a response gives. */
export function listGivenValues({ headers, body }: Pick<ReceivedResponse, "headers" | "body">): GivenValue[] {
  return listScalars(readJsonBody(headers, body)).flatMap(({ value, steps }) => {
    const ownName = toOwnName(steps);
    const identifier = readIdentifier(ownName, value);
    return identifier ? [{ ...identifier, ownName, path: toJsonPath(steps) }] : [];
  });
}

/** Headers that say how a request travels, or who sends it. */
const travelling =
  /^(accept.*|content-.*|authorization|proxy-.*|cookie|host|user-agent|connection|transfer-encoding|te|date|origin|referer|traceparent|tracestate)$/i;

/** Every value that a request sent: in its path, query, headers and JSON body. */
export function listSentValues(
  { path }: Pick<OperationKey, "path">,
  { url, headers, body }: Pick<SentRequest, "url" | "headers" | "body">,
): SentValue[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const inPath = parsed ? listPathValues(path, parsed.pathname) : [];
  const inQuery = [...(parsed?.searchParams ?? [])].map(
    ([name, text]): SentValue => ({ in: "query", name, ownName: name, text }),
  );
  const inHeaders = headers
    .filter(([name]) => !travelling.test(name))
    .map(([name, text]): SentValue => ({ in: "header", name, ownName: name, text }));
  const inBody = listScalars(readJsonBody(headers, body)).flatMap(({ value, steps }): SentValue[] =>
    steps.length === 0 ? [] : [{ in: "body", name: toPointer(steps), ownName: toOwnName(steps), text: String(value) }],
  );
  return [...inPath, ...inQuery, ...inHeaders, ...inBody].filter(({ name, text }) => name !== "" && text !== "");
}

const oneParameter = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/;

/** Compared from the end, since what precedes the path belongs to the server's address. */
function listPathValues(template: string, pathname: string): SentValue[] {
  const segments = toSegments(template);
  const sent = pathname.split("/").filter(Boolean).map(decode);
  const start = sent.length - segments.length;
  if (start < 0) return [];
  const values: SentValue[] = [];
  for (const [at, segment] of segments.entries()) {
    const text = sent[start + at]!;
    const [, before, name, after] = oneParameter.exec(segment) ?? [];
    if (name === undefined) {
      if (!segment.includes("{") && segment !== text) return [];
      continue;
    }
    if (!text.startsWith(before!) || !text.endsWith(after!)) return [];
    const own = text.slice(before!.length, text.length - after!.length);
    values.push({ in: "path", name, ownName: name, text: own });
  }
  return values;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
