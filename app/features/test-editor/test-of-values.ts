import type { Assertion, AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";
import type { Json } from "#libraries/json/json.ts";
import { splitJson } from "#libraries/json/json-texts.ts";
import { notChosen } from "~/features/locations/location-field";
import type { OperationKey } from "~/features/operation/operation-key";
import { readFileReference } from "~/features/request-files/file-reference";
import { captureSourceWords, comparisonWords, sourceWords } from "./assertion-words.ts";
import { readDataRows } from "./data-rows.ts";
import { readPartHeaders } from "./part-headers.ts";
import { readTags } from "./tags.ts";
import { isVariableAsText, readTarget, targetTypes } from "./target.ts";
import type { AssertionRow, BodyValues, CaptureRow, PairRow, TestFormValues } from "./test-form-values.ts";

export interface Fault {
  /** Name of the form field. */
  path: string;
  message: string;
}

export interface MadeTest {
  /** A `TestInput` as far as the form could be parsed; the contract has yet to validate it. */
  input: Record<string, unknown>;
  faults: Fault[];
  /** Name of the form field for a path into the test, such as `assertions[0].target` from a refusal. */
  fieldOf(path: string): string;
}

/** Parses the form. Empty rows are left out; an unreadable value is an error at its field. */
export function testOfValues(values: TestFormValues, { method, path }: OperationKey): MadeTest {
  const faults: Fault[] = [];
  const { request } = values;
  const rows = new Map<string, number[]>();

  /** Keeps the rows with content, and remembers their index in the form. */
  function kept<Row extends object>(list: readonly Row[], testPath: string, blank: (row: Row) => boolean): Row[] {
    const indices = list.flatMap((row, index) => (blank(row) ? [] : [index]));
    rows.set(testPath, indices);
    return indices.map((index) => list[index]!);
  }
  const pairs = (list: readonly PairRow[], testPath: string) => kept(list, testPath, isBlankPair);
  const whole = (text: string, field: string, label: string): number | undefined => {
    const trimmed = text.trim();
    if (trimmed === "") return undefined;
    if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
    faults.push({ path: field, message: `Write ${label} as a whole number` });
    return undefined;
  };

  const limited = (label: string) => {
    const { limit } = request.readUntil;
    if (limit.trim() === "") faults.push({ path: readUntilField, message: `Enter ${label}` });
    return whole(limit, readUntilField, label);
  };

  const authorization = {
    kind: request.authorization.kind,
    bindings: kept(
      request.authorization.bindings,
      "request.authorization.bindings",
      ({ schemeName, credentialId }) => !schemeName && !credentialId,
    ),
  };
  if (authorization.kind === "credentials" && authorization.bindings.length === 0) {
    faults.push({
      path: "request.authorization.bindings",
      message: "Add a credential, or choose another authorization",
    });
  }

  const read = readDataRows(values.data);
  if (read.fault !== undefined) faults.push({ path: "data", message: read.fault });

  const input = {
    name: values.name,
    method,
    path,
    enabled: values.enabled,
    tags: readTags(values.tags),
    request: {
      baseUrl: request.baseUrl.trim() || undefined,
      pathParameters: kept(request.pathParameters, "request.pathParameters", ({ name }) => !name),
      query: pairs(request.query, "request.query"),
      headers: pairs(request.headers, "request.headers"),
      cookies: pairs(request.cookies, "request.cookies"),
      body: bodyOf(request.body, { pairs, kept, faults, rows }),
      authorization: authorization.kind === "credentials" ? authorization : { kind: request.authorization.kind },
      followRedirects: request.followRedirects,
      readUntil: readUntilOf(request.readUntil, limited),
    },
    assertions: kept(values.assertions, "assertions", isBlankAssertion).map((row, index) =>
      assertionOf(row, `assertions[${rows.get("assertions")![index]}]`, faults),
    ),
    checks: values.checks,
    maximumResponseMilliseconds: whole(
      values.maximumResponseMilliseconds,
      "maximumResponseMilliseconds",
      "the longest response time",
    ),
    captures: kept(values.captures, "captures", ({ name, property, pattern }) => !name && !property && !pattern).map(
      captureOf,
    ),
    data: read.fault === undefined ? read.rows : undefined,
    retry: {
      attempts: whole(values.retry.attempts, "retry.attempts", "the attempts"),
      backoff: values.retry.backoff,
      delayMilliseconds: whole(values.retry.delayMilliseconds, "retry.delayMilliseconds", "the pause"),
    },
    waitUntil: readWait(values.waitUntil, faults),
    timeoutMilliseconds: whole(values.timeoutMilliseconds, "timeoutMilliseconds", "the time-out"),
    // Without the field, what is stored stays.
    locationId: values.locationId === notChosen ? null : values.locationId || undefined,
  };
  return { input, faults, fieldOf: (testPath) => fieldOf(testPath, values, rows) };
}

const readUntilField = "request.readUntil.limit";

function readUntilOf({ kind }: { kind: string }, read: (label: string) => number | undefined) {
  if (kind === "items") return { kind, count: read("the number of items") };
  if (kind === "seconds") return { kind, seconds: read("the seconds") };
  return undefined;
}

/** Undefined when the test does not wait. */
function readWait(written: TestFormValues["waitUntil"], faults: Fault[]) {
  const everyText = written.everySeconds.trim();
  const atMostText = written.atMostSeconds.trim();
  if (everyText === "" && atMostText === "") return undefined;
  const read = (text: string, field: keyof typeof written, label: string) => {
    if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
    const message =
      text === "" ? `Enter ${label} too, or leave both empty` : `Write ${label} as a number, such as 5 or 0.5`;
    faults.push({ path: `waitUntil.${field}`, message });
    return undefined;
  };
  return {
    everySeconds: read(everyText, "everySeconds", "the pause"),
    atMostSeconds: read(atMostText, "atMostSeconds", "the longest wait"),
  };
}

function isBlankPair({ name, value }: PairRow): boolean {
  return name === "" && value === "";
}

/** A new row has a default source and comparison and no content yet. */
function isBlankAssertion({ source, comparison, property, target, targetType }: AssertionRow): boolean {
  const asks = comparisonWords[comparison as Comparison]?.target;
  if (source === "schema" || asks === "none" || asks === "schema" || targetType === "text") return false;
  return property === "" && target === "" && source in sourceWords;
}

type Keep = <Row extends object>(list: readonly Row[], path: string, blank: (row: Row) => boolean) => Row[];

interface BodyReading {
  pairs(list: readonly PairRow[], path: string): PairRow[];
  kept: Keep;
  faults: Fault[];
  /** Indices in the form of the rows that were kept, by list. */
  rows: ReadonlyMap<string, readonly number[]>;
}

const partsField = "request.body.parts";

function bodyOf(body: BodyValues, { pairs, kept, faults, rows }: BodyReading) {
  switch (body.kind) {
    case "json":
      return { kind: "json", text: body.json, mediaType: body.jsonMediaType.trim() || undefined };
    case "text":
      return { kind: "text", text: body.text, mediaType: body.textMediaType.trim() };
    case "form":
      return { kind: "form", fields: pairs(body.fields, "request.body.fields") };
    case "multipart": {
      const parts = kept(body.parts, partsField, (part) => isBlankPair(part) && !part.fileName && !part.file);
      return {
        kind: "multipart",
        mediaType: body.multipartType.trim() || undefined,
        parts: parts.map(({ name, value, enabled, ...part }, index) => {
          const { headers, fault } = readPartHeaders(part.headers);
          if (fault) faults.push({ path: `${partsField}[${rows.get(partsField)![index]}].headers`, message: fault });
          const file = part.withoutFile ? undefined : readFileReference(part.file);
          return {
            ...{ name, value: file ? "" : value, enabled, file, headers },
            fileName: part.fileName || undefined,
            mediaType: part.mediaType.trim() || undefined,
          };
        }),
      };
    }
    case "file": {
      const file = readFileReference(body.file);
      if (!file) faults.push({ path: "request.body.upload", message: "Choose a file" });
      return { kind: "file", file, mediaType: body.fileMediaType.trim() };
    }
    default:
      return { kind: body.kind };
  }
}

function assertionOf(row: AssertionRow, field: string, faults: Fault[]): Partial<Assertion> {
  const source = row.source as AssertionSource;
  // A schema has one comparison; the one selected for the previous source is ignored.
  const comparison = source === "schema" ? "matchesSchema" : (row.comparison as Comparison);
  const known = sourceWords[source] && comparisonWords[comparison];
  if (!known) return { source, comparison };
  const type = targetTypes.find((candidate) => candidate === row.targetType) ?? "auto";
  const written = { text: row.target, type };
  const read = readTarget(written, { source, comparison });
  if (read.fault !== undefined) faults.push({ path: `${field}.target`, message: read.fault });
  return {
    source,
    ...(sourceWords[source].property ? { property: row.property } : {}),
    comparison,
    ...(read.fault === undefined && read.value !== undefined ? targetOf(read.value) : {}),
    ...(isVariableAsText(written) ? { variableType: "text" as const } : {}),
  };
}

function targetOf(value: Json): Pick<Assertion, "target" | "targetJson"> {
  const { plain, text } = splitJson(value);
  return { target: plain, ...(text === undefined ? {} : { targetJson: text }) };
}

function captureOf({ name, source, property, pattern, secret, optional }: CaptureRow): Partial<Capture> {
  const words = captureSourceWords[source as Capture["source"]];
  return {
    name,
    source: source as Capture["source"],
    ...(words?.property ? { property } : {}),
    // Of another source it is refused at its field.
    ...(pattern ? { pattern } : {}),
    ...(secret === "byName" ? {} : { secret: secret === "always" }),
    ...(optional ? { optional } : {}),
  };
}

const mediaTypeFields: Record<string, string> = {
  json: "request.body.jsonMediaType",
  multipart: "request.body.multipartType",
  file: "request.body.fileMediaType",
};

function fieldOf(testPath: string, values: TestFormValues, rows: ReadonlyMap<string, readonly number[]>): string {
  if (testPath.startsWith("tags")) return "tags";
  if (testPath.startsWith("checks")) return "checks";
  if (testPath.startsWith("data")) return "data";
  if (/^request\.readUntil\.(count|seconds)$/.test(testPath)) return readUntilField;
  const { kind } = values.request.body;
  if (testPath === "request.body.text") return kind === "json" ? "request.body.json" : "request.body.text";
  if (testPath === "request.body.mediaType") return mediaTypeFields[kind] ?? "request.body.textMediaType";
  if (testPath.startsWith("request.body.file")) return "request.body.upload";
  const [, list, index, rest] = /^(.+?)\[(\d+)\](.*)$/.exec(testPath) ?? [];
  if (list === undefined) return testPath;
  const row = rows.get(list)?.[Number(index)] ?? Number(index);
  if (list !== partsField) return `${list}[${row}]${rest}`;
  // A part's headers are one field, and its file is chosen in another than the hidden one.
  return `${list}[${row}]${rest!.replace(/^\.headers.*/s, ".headers").replace(/^\.file\b(?!Name).*/s, ".upload")}`;
}
