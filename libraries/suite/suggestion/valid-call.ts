import type {
  DescribedOperation,
  OperationParameter,
  OperationResponse,
  OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import type { SuggestedFields, Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import type { Pair } from "#contracts/test-registry/requests.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { parseMediaType } from "#libraries/judging/media-type.ts";
import { findBodyForm } from "#libraries/judging/schema/described-body.ts";
import { isDescribedElsewhere, isFraming } from "#libraries/openapi/header-names.ts";
import { toParameterRows } from "#libraries/openapi/parameter-rows.ts";
import { findSequence } from "#libraries/sequence/sequence.ts";
import type { RunNames } from "./body-members.ts";
import { type FindVariable, findNoVariable, needsValue, toVariableName } from "./needed-value.ts";
import { type Gap, suggestBody } from "./request-body.ts";

const longestName = 300;
const longestValue = 100_000;

const fields = {
  path: "pathParameters",
  query: "query",
  querystring: "query",
  header: "headers",
  cookie: "cookies",
} as const;
const maxRows = { pathParameters: 100, query: 200, headers: 200, cookies: 100 } as const;

type Rows = Record<"pathParameters" | "query" | "headers" | "cookies", Pair[]>;
type NeededValue = Suggestion["values"][number];

interface Found {
  path: string;
  fields: SuggestedFields;
  rows: Rows;
  gaps: Gap[];
  values: NeededValue[];
  /** Optional parameters that are included but disabled. */
  leftOut: number;
  findVariable: FindVariable;
  run: RunNames | undefined;
}

function isSetElsewhere(headerName: string): boolean {
  return isDescribedElsewhere(headerName) || isFraming(headerName);
}

/** Tabs stay: 2.0's `tsv` separates values by them. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end the line of a header.
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f]+/g, " ").trim();
}

/**
 * Enables required parameters and those with a documented example; the others are enabled when all are requested,
 * otherwise included but disabled.
 */
function addParameter(
  parameter: OperationParameter,
  components: OperationWithComponents["components"],
  found: Found,
): void {
  const { path, rows, gaps, values } = found;
  const field = fields[parameter.in];
  const name = parameter.name.trim();
  if (name === "" || name.length > 500 || (parameter.in === "header" && isSetElsewhere(name))) return;
  const isKnown = parameter.sample !== undefined;
  // In a run, a documented filter may hide what it made.
  const isWanted = isKnown && (found.fields === "all" || (parameter.examples.length > 0 && !found.run));
  const enabled = parameter.required || parameter.in === "path" || isWanted;
  if (!enabled) found.leftOut += 1;
  const supplied = found.run?.findSupplied(parameter.in, name);
  if (enabled && (supplied || needsValue(parameter, components)) && rows[field].length < maxRows[field]) {
    const variable =
      supplied ?? found.findVariable(parameter.in, name) ?? toVariableName({ name, in: parameter.in }, path);
    rows[field].push({ name, value: `{{${variable}}}`, enabled });
    values.push({ name: variable, parameter: name, in: parameter.in as NeededValue["in"] });
    return;
  }
  const written = isKnown
    ? toParameterRows({ ...parameter, name }, joinJson(parameter.sample, parameter.sampleJson), components)
    : [{ name, value: "" }];
  for (const row of written) {
    if (rows[field].length >= maxRows[field]) return;
    const isLine = field === "headers" || field === "cookies";
    const value = isLine ? oneLine(field === "cookies" ? row.value.replace(/\t/g, " ") : row.value) : row.value;
    const rowName = row.name.trim().slice(0, 500);
    if (rowName !== "") rows[field].push({ name: rowName, value: value.slice(0, longestValue), enabled });
  }
  const last = rows[field].at(-1);
  const isMissing = !isKnown || written.length === 0 || (parameter.in === "path" && last?.value === "");
  if (enabled && isMissing) {
    const message = `Enter a value for ${name}: the document has no example and none could be generated`;
    gaps.push({ path: `request.${field}[${Math.max(rows[field].length - 1, 0)}].value`, message });
  }
}

/** Path parameters that the document does not describe still need a value. */
function addUndescribedPlaces({ path, rows, values, findVariable }: Found): void {
  for (const [, name = ""] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (name.trim() === "" || rows.pathParameters.some((row) => row.name === name)) continue;
    const variable = findVariable("path", name) ?? toVariableName({ name, in: "path" }, path);
    rows.pathParameters.push({ name: name.slice(0, 500), value: `{{${variable}}}`, enabled: true });
    values.push({ name: variable, parameter: name, in: "path" });
  }
}

function getSuccesses({ responses }: DescribedOperation): OperationResponse[] {
  const of = (pattern: RegExp) => responses.filter((response) => pattern.test(response.status));
  return [of(/^2\d\d$/), of(/^2xx$/i), of(/^3\d\d$/), of(/^3xx$/i)].find((found) => found.length > 0) ?? [];
}

function assertSuccess(successes: OperationResponse[]): Assertion {
  const [first] = successes;
  if (!first || /xx$/i.test(first.status)) {
    const from = first?.status.startsWith("3") ? 300 : 200;
    return { source: "statusCode", comparison: "between", target: [from, from + 99] };
  }
  const statuses = successes.map((response) => Number(response.status));
  if (statuses.length > 1) return { source: "statusCode", comparison: "oneOf", target: statuses };
  return { source: "statusCode", comparison: "equals", target: statuses[0] };
}

function suggestChecks(
  operation: DescribedOperation,
  components: OperationWithComponents["components"],
  successes: OperationResponse[],
): CheckName[] {
  const checks: CheckName[] = ["not_a_server_error"];
  if (operation.responses.length > 0) checks.push("status_code_conformance");
  const documented =
    successes.length > 0 ? successes : operation.responses.filter(({ status }) => status === "default");
  const content = documented.flatMap((response) => response.content);
  if (content.length > 0) checks.push("content_type_conformance");
  const isJudged = content.some(({ mediaType, schema }) => {
    const parsed = parseMediaType(mediaType);
    if (schema === undefined || parsed === undefined) return false;
    return mediaType.includes("*") || typeof findBodyForm(parsed, schema, components) === "string";
  });
  if (isJudged) checks.push("response_schema_conformance");
  return checks;
}

/** Whether every documented response is a sequence of items, which may not end. */
function isStream(successes: OperationResponse[]): boolean {
  const content = successes.flatMap((response) => response.content);
  return content.length > 0 && content.every(({ mediaType }) => findSequence(mediaType) !== undefined);
}

function acceptHeader(successes: OperationResponse[]): Pair[] {
  const types = successes.flatMap((response) => response.content.map(({ mediaType }) => oneLine(mediaType)));
  const value = [...new Set(types)].filter((type) => parseMediaType(type)).join(", ");
  return value === "" ? [] : [{ name: "Accept", value: value.slice(0, 1_000), enabled: true }];
}

function getName({ summary, operationId, method, path }: DescribedOperation): string {
  const name = oneLine(summary) || oneLine(operationId ?? "") || `${method.toUpperCase()} ${oneLine(path)}`;
  return name.length > longestName ? `${toDisplayName(name, longestName - 1)}…` : toDisplayName(name, longestName);
}

const loneSurrogate = /\p{Surrogate}/gu;

/** Nothing can send or store lone surrogates, which a document's escapes may contain. */
function withWholeCharacters(test: TestInput): TestInput {
  return JSON.parse(JSON.stringify(test), (_, value: unknown) =>
    typeof value === "string" ? value.replace(loneSurrogate, "\ufffd") : value,
  ) as TestInput;
}

export interface CallOptions {
  fields?: SuggestedFields;
  /** Whether it inherits its authorization though the document names no scheme. */
  sendsHostCredentials?: boolean | undefined;
  findVariable?: FindVariable;
  /** For a test that runs with others: values that the run makes, and what it can get. */
  run?: RunNames;
}

/** A suggestion, with the value of its JSON body as it was before placeholders were written into its text. */
export interface MadeCall extends Suggestion {
  sent: unknown;
}

/** A valid call of an operation that verifies the documented success. */
export function suggestValidCall(described: OperationWithComponents, options: CallOptions = {}): Suggestion {
  const { sent: _, ...suggestion } = makeCall(described, options);
  return suggestion;
}

export function makeCall(
  described: OperationWithComponents,
  { fields: wanted = "required", sendsHostCredentials = false, findVariable = findNoVariable, run }: CallOptions = {},
): MadeCall {
  const { operation, components } = described;
  const gaps: Gap[] = [];
  const successes = getSuccesses(operation);
  const rows: Rows = { pathParameters: [], query: [], headers: acceptHeader(successes), cookies: [] };
  const found: Found = { path: operation.path, fields: wanted, rows, gaps, values: [], leftOut: 0, findVariable, run };
  for (const parameter of operation.parameters) addParameter(parameter, components, found);
  addUndescribedPlaces(found);
  const { gaps: bodyGaps, ...madeBody } = suggestBody(described, wanted, findVariable, run);
  const { body, leftOut, values: bodyValues, file } = madeBody;
  gaps.push(...bodyGaps);
  found.values.push(...bodyValues.filter(({ name }) => !found.values.some((value) => value.name === name)));

  const needsAuthorization =
    operation.security.length > 0 && operation.security.every((alternative) => alternative.length > 0);
  const test: TestInput = {
    name: getName(operation),
    method: operation.method,
    path: operation.path,
    enabled: true,
    tags: [],
    request: {
      ...rows,
      body,
      authorization: { kind: needsAuthorization || sendsHostCredentials ? "inherit" : "none" },
      followRedirects: false,
      ...(isStream(successes) ? { readUntil: { kind: "items" as const, count: 1 } } : {}),
    },
    assertions: [assertSuccess(successes)],
    checks: suggestChecks(operation, components, successes),
    captures: [],
    retry: { attempts: 1, backoff: "fixed", delayMilliseconds: 1_000 },
    timeoutMilliseconds: 30_000,
  };
  const fromExamples = operation.parameters.some(({ examples }) => examples.length > 0) || body.kind !== "none";
  const made = fromExamples ? "made from the document's examples and schemas" : "made from the document";
  const { values } = found;
  const names = values.map(({ name }) => `{{${name}}}`).join(", ");
  const needs = values.length === 0 ? "" : ` The document gives no value of ${names}.`;
  const all = wanted === "all" ? " with all fields" : "";
  const reason = `A valid call${all}, ${made}: it has to succeed as documented.${needs}`;
  return {
    kind: "valid_call",
    reason,
    test: withWholeCharacters(test),
    values,
    leftOut: found.leftOut + leftOut,
    gaps,
    sent: body.kind === "json" ? madeBody.sent : undefined,
    ...(file ? { file } : {}),
  };
}
