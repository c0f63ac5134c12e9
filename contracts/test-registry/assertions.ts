import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";

export const assertionSources = [
  "statusCode",
  "header",
  "body",
  "jsonPath",
  "schema",
  "responseTime",
  "bodySize",
  "cookie",
  "certificate",
  "url",
] as const;
export type AssertionSource = (typeof assertionSources)[number];

export const comparisons = [
  "equals",
  "notEquals",
  "lessThan",
  "lessThanOrEqual",
  "greaterThan",
  "greaterThanOrEqual",
  "between",
  "contains",
  "notContains",
  "oneOf",
  "noneOf",
  "startsWith",
  "endsWith",
  "matches",
  "notMatches",
  "exists",
  "notExists",
  "isNull",
  "isNotNull",
  "isEmpty",
  "isNotEmpty",
  "hasType",
  "lengthEquals",
  "lengthLessThan",
  "lengthGreaterThan",
  "matchesSchema",
] as const;
export type Comparison = (typeof comparisons)[number];

export const checkNames = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "negative_data_rejection",
  "positive_data_acceptance",
  "missing_required_header",
  "unsupported_method",
  "ignored_auth",
  "max_response_time",
] as const;
export type CheckName = (typeof checkNames)[number];

/**
 * `property`: header or cookie name, or JSONPath. `target` is JSON and compared by type (`"12"` is not 12):
 * `[from, to]` for between, an array for oneOf and noneOf, a type name for hasType, a JSON Schema for matchesSchema
 * (left out: the documented response). Headers, cookies, body and url are text: a number as target compares with the
 * number the text reads as.
 *
 * Where there is nothing (a missing path, header or cookie) every positive comparison fails, also `isNotNull`,
 * `isEmpty` and `isNotEmpty`; `notExists`, `notEquals`, `notContains`, `noneOf` and `notMatches` pass.
 *
 * A JSONPath of names and indexes gives the value there. Any other gives the list of all it selects (possibly empty,
 * then it does not exist); where that list has one value, comparisons that need a single value get that one.
 */
export const assertion = z
  .object({
    source: z.enum(assertionSources),
    property: orNone(z.string().max(2_000)),
    comparison: z.enum(comparisons),
    target: z.unknown().optional(),
  })
  .openapi("Assertion");
export type Assertion = z.infer<typeof assertion>;
