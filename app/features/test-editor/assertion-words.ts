import type { AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";

/** Kind of the target: decides how the typed text is parsed. */
export type TargetShape =
  | "none"
  | "any"
  | "number"
  | "range"
  | "list"
  | "text"
  | "typeName"
  | "schema"
  | "moment"
  | "span";

/** Type of the source's value: the target of `equals` is parsed to match it. */
export type SourceShape = "number" | "text" | "json";

interface SourceWords {
  label: string;
  shape: SourceShape;
  /** Label of the property; without it the source has none. */
  property?: string;
}

export const sourceWords: Record<AssertionSource, SourceWords> = {
  statusCode: { label: "Status code", shape: "number" },
  header: { label: "Header", shape: "text", property: "Header name" },
  jsonPath: { label: "JSONPath", shape: "json", property: "JSONPath" },
  xPath: { label: "XPath", shape: "text", property: "XPath" },
  body: { label: "Body text", shape: "text" },
  schema: { label: "Body against schema", shape: "json" },
  responseTime: { label: "Response time (ms)", shape: "number" },
  bodySize: { label: "Body size (bytes)", shape: "number" },
  bodySha256: { label: "Body SHA-256 (hex)", shape: "text" },
  charset: { label: "Charset", shape: "text" },
  cookie: { label: "Cookie", shape: "text", property: "Cookie name" },
  certificate: { label: "Certificate, days left", shape: "number" },
  url: { label: "URL after redirects", shape: "text" },
};

interface ComparisonWords {
  label: string;
  target: TargetShape;
}

export const comparisonWords: Record<Comparison, ComparisonWords> = {
  equals: { label: "equals", target: "any" },
  notEquals: { label: "does not equal", target: "any" },
  lessThan: { label: "is less than", target: "number" },
  lessThanOrEqual: { label: "is at most", target: "number" },
  greaterThan: { label: "is greater than", target: "number" },
  greaterThanOrEqual: { label: "is at least", target: "number" },
  between: { label: "is between", target: "range" },
  before: { label: "is before", target: "moment" },
  after: { label: "is after", target: "moment" },
  within: { label: "is within", target: "span" },
  oneOf: { label: "is one of", target: "list" },
  noneOf: { label: "is none of", target: "list" },
  contains: { label: "contains", target: "any" },
  notContains: { label: "does not contain", target: "any" },
  startsWith: { label: "starts with", target: "text" },
  endsWith: { label: "ends with", target: "text" },
  matches: { label: "matches the pattern", target: "text" },
  notMatches: { label: "does not match the pattern", target: "text" },
  exists: { label: "exists", target: "none" },
  notExists: { label: "does not exist", target: "none" },
  isNull: { label: "is null", target: "none" },
  isNotNull: { label: "is not null", target: "none" },
  isEmpty: { label: "is empty", target: "none" },
  isNotEmpty: { label: "is not empty", target: "none" },
  hasType: { label: "has the type", target: "typeName" },
  lengthEquals: { label: "has the length", target: "number" },
  lengthLessThan: { label: "is shorter than", target: "number" },
  lengthGreaterThan: { label: "is longer than", target: "number" },
  matchesSchema: { label: "matches the schema", target: "schema" },
};

export const captureSourceWords: Record<Capture["source"], { label: string; property?: string }> = {
  jsonPath: { label: "JSONPath", property: "JSONPath" },
  xPath: { label: "XPath", property: "XPath" },
  header: { label: "Header", property: "Header name" },
  cookie: { label: "Cookie", property: "Cookie name" },
  statusCode: { label: "Status code" },
  body: { label: "Body text", property: "Pattern" },
};
