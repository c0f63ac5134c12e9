import type { Consumer, OperationKey } from "#contracts/api-registry/resources.ts";
import type { ReceivedResponse, SentRequest } from "#contracts/test-executioner/attempts.ts";
import { ExactNumber } from "#libraries/json/exact-number.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { parseJson } from "#libraries/json/parse-json.ts";
import { isJson, parseMediaType } from "#libraries/judging/media-type.ts";
import { toPointer } from "../graph/find-consumers.ts";
import { anyItem, toJsonPath } from "../graph/members.ts";
import { toSegments } from "../graph/operation-facts.ts";
import { type IdentifierName, type IdentifyingValue, readIdentifier, readName } from "./identifying-values.ts";

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

/** Where values are in a body, without the positions of list items: what is known of it is read once. */
class Shape {
  readonly #inner = new Map<string, Shape>();
  #path: string | undefined;
  #identifierName: IdentifierName | undefined;

  constructor(
    readonly steps: readonly string[],
    /** Of the innermost member. */
    readonly ownName: string,
  ) {}

  at(step: string): Shape {
    let inner = this.#inner.get(step);
    if (!inner) {
      inner = new Shape([...this.steps, step], step === anyItem ? this.ownName : step);
      this.#inner.set(step, inner);
    }
    return inner;
  }

  get path(): string {
    this.#path ??= toJsonPath(this.steps);
    return this.#path;
  }

  get identifierName(): IdentifierName {
    this.#identifierName ??= readName(this.ownName);
    return this.#identifierName;
  }
}

interface Position {
  value: unknown;
  shape: Shape;
}

/** The texts and numbers of a body, the outermost first. */
function listScalars(body: unknown): Position[] {
  const positions: Position[] = [{ value: body, shape: new Shape([], "") }];
  const scalars: Position[] = [];
  for (let at = 0; at < positions.length && at < maxPositions; at += 1) {
    const position = positions[at]!;
    const { value, shape } = position;
    if (typeof value === "string" || typeof value === "number" || value instanceof ExactNumber) {
      scalars.push(position);
    } else if (shape.steps.length >= maxDepth) {
      // Deeper members are not read.
    } else if (Array.isArray(value)) {
      const inner = shape.at(anyItem);
      for (const item of value.slice(0, maxItems)) positions.push({ value: item, shape: inner });
    } else if (isRecord(value)) {
      for (const name of Object.keys(value)) positions.push({ value: value[name], shape: shape.at(name) });
    }
  }
  return scalars;
}

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
  return listScalars(readJsonBody(headers, body)).flatMap(({ value, shape }) => {
    const identifier = readIdentifier(shape.identifierName, value);
    return identifier ? [{ ...identifier, ownName: shape.ownName, path: shape.path }] : [];
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
  const inBody = listScalars(readJsonBody(headers, body))
    .filter(({ shape }) => shape.steps.length > 0)
    .map(
      ({ value, shape }): SentValue => ({
        ...{ in: "body", name: toPointer(shape.steps), ownName: shape.ownName, text: String(value) },
      }),
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
