import type { OperationResponse, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { CheckName } from "#contracts/test-registry/assertions.ts";
import type { CollectedAssertion } from "#libraries/collections/collection.ts";
import { isRecord } from "#libraries/json/json-value.ts";
import { findDocumentedResponse } from "#libraries/judging/documented-response.ts";
import type { Execution } from "./fill-row.ts";

type AddLoss = (what: string, reason: string) => void;

const status = (comparison: string, target: unknown): CollectedAssertion => ({
  ...{ source: "statusCode", property: undefined, comparison, target },
});

/** The assertions of a test, and its checks as assertions where they can be. */
export function collectAssertions(
  test: Execution,
  operation: OperationWithComponents | undefined,
  addLoss: AddLoss,
): CollectedAssertion[] {
  const own = test.assertions.flatMap(({ source, property, comparison, target }): CollectedAssertion[] => {
    if (comparison !== "matchesSchema" || target !== undefined) return [{ source, property, comparison, target }];
    return describeBody(test, operation, addLoss);
  });
  const checks = test.checks.flatMap((check) => collectCheck(check, test, operation, addLoss));
  const seen = new Set<string>();
  return [...own, ...checks].filter((assertion) => {
    const text = JSON.stringify(assertion);
    return !seen.has(text) && seen.add(text);
  });
}

function collectCheck(
  check: CheckName,
  test: Execution,
  operation: OperationWithComponents | undefined,
  addLoss: AddLoss,
): CollectedAssertion[] {
  const lose = (reason: string) => {
    addLoss(`check ${check}`, reason);
    return [];
  };
  switch (check) {
    case "not_a_server_error":
      return [status("lessThan", 500)];
    case "max_response_time":
      return [{ ...status("lessThanOrEqual", test.maximumResponseMilliseconds), source: "responseTime" }];
    case "positive_data_acceptance":
      return [status("between", [200, 299])];
    case "negative_data_rejection":
    case "missing_required_header":
      return [status("between", [400, 499])];
    case "unsupported_method":
      return [status("equals", 405), { source: "header", property: "Allow", comparison: "exists", target: undefined }];
    case "ignored_auth":
      return [status("oneOf", [401, 403])];
    case "response_schema_conformance":
      return describeBody(test, operation, addLoss);
    default:
  }
  if (!operation) return lose("The document of the API is not known here.");
  const { responses } = operation.operation;
  if (check === "status_code_conformance") {
    const statuses = responses.map((response) => response.status);
    if (statuses.includes("default")) return [];
    if (statuses.every((one) => /^\d{3}$/.test(one))) return [status("oneOf", statuses.map(Number))];
    return lose("The document has ranges of status codes: write an assertion for those that the test expects.");
  }
  const expected = findExpected(test, responses);
  if (!expected) return lose("The test does not say which status code it expects: add an assertion for it.");
  if (check === "content_type_conformance") {
    const [content, ...others] = expected.content;
    if (expected.content.length === 0) return [];
    if (!content || others.length > 0 || content.mediaType.includes("*"))
      return lose("The document has not exactly one media type for the response.");
    const type = content.mediaType.split(";")[0]!.trim();
    return [{ source: "header", property: "Content-Type", comparison: "contains", target: type }];
  }
  const headers = expected.headers.filter(({ required }) => required);
  if (headers.length < expected.headers.length || headers.length === 0)
    addLoss(`check ${check}`, "Only required headers are carried, and only that they exist.");
  return headers.map(({ name }) => ({ source: "header", property: name, comparison: "exists", target: undefined }));
}

/** The documented response of the status code that an assertion requires, or the only documented one. */
function findExpected(test: Execution, responses: OperationResponse[]): OperationResponse | undefined {
  const wanted = test.assertions.find(
    ({ source, comparison, target }) =>
      source === "statusCode" && comparison === "equals" && typeof target === "number",
  );
  if (wanted) return findDocumentedResponse(responses, wanted.target as number);
  return responses.length === 1 ? responses[0] : undefined;
}

function describeBody(
  test: Execution,
  operation: OperationWithComponents | undefined,
  addLoss: AddLoss,
): CollectedAssertion[] {
  const expected = operation && findExpected(test, operation.operation.responses);
  const content = expected?.content.find(({ mediaType }) => /[/+]json\b/i.test(mediaType));
  if (content?.schema === undefined) {
    if (expected?.content.length === 0) return [];
    addLoss("check by the documented schema", "Which documented response it is checked by is known in a run only.");
    return [];
  }
  const target = writeSchema(content.schema, operation!.components);
  return [{ source: "schema", property: undefined, comparison: "matchesSchema", target }];
}

/** A schema with the components that it refers to, at the places that its references name. */
function writeSchema(schema: unknown, components: Record<string, unknown>): unknown {
  const whole: Record<string, unknown> = { allOf: [toCurrent(schema)] };
  for (const pointer of listReached(schema, components)) {
    const names = pointer
      .replace(/^#\//, "")
      .split("/")
      .map((name) => decodeURIComponent(name).replace(/~1/g, "/").replace(/~0/g, "~"));
    let at = whole;
    for (const name of names.slice(0, -1)) {
      if (!isRecord(at[name])) at[name] = {};
      at = at[name] as Record<string, unknown>;
    }
    at[names.at(-1)!] = toCurrent(components[pointer]);
  }
  return whole;
}

function listReached(schema: unknown, components: Record<string, unknown>): Set<string> {
  const reached = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    } else if (isRecord(value)) {
      const { $ref } = value;
      if (typeof $ref === "string" && Object.hasOwn(components, $ref) && !reached.has($ref)) {
        reached.add($ref);
        visit(components[$ref]);
      }
      for (const item of Object.values(value)) visit(item);
    }
  };
  visit(schema);
  return reached;
}

/** Keywords of OpenAPI 3.0 as in JSON Schema: `nullable`, and limits that are exclusive. */
function toCurrent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCurrent);
  if (!isRecord(value)) return value;
  const { nullable, exclusiveMinimum, exclusiveMaximum, example, discriminator, xml, ...rest } = value;
  const current: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(rest)) if (!name.startsWith("x-")) current[name] = toCurrent(item);
  if (nullable === true && current.type !== undefined) current.type = [current.type, "null"].flat();
  if (nullable === true && Array.isArray(current.enum)) current.enum = [...current.enum, null];
  for (const [name, limit, given] of [
    ["exclusiveMinimum", "minimum", exclusiveMinimum],
    ["exclusiveMaximum", "maximum", exclusiveMaximum],
  ] as const) {
    if (given === true && typeof current[limit] === "number") {
      current[name] = current[limit];
      delete current[limit];
    } else if (typeof given === "number") current[name] = given;
  }
  return current;
}
