import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";

export const assertionSources = [
  "statusCode",
  "header",
  "body",
  "jsonPath",
  "xPath",
  "schema",
  "responseTime",
  "bodySize",
  "bodySha256",
  "charset",
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
  "before",
  "after",
  "within",
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
 * `property`: header or cookie name, JSONPath, or XPath. `target` is JSON and compared by type (`"12"` is not 12), numbers as
 * decimals of any size (`1.0` equals 1): `[from, to]` for between, an array for oneOf and noneOf, a type name for hasType, a JSON Schema for matchesSchema
 * (omitted: the documented response); a date for before and after, `[span, date]` for within, as in `["1 min", "now"]`.
 * Headers, cookies, body and url are text: a numeric target is compared with the
 * number that the text parses to.
 *
 * Dates are RFC 3339 date-times and dates (a date is the start of that day in UTC), HTTP-dates, and epoch numbers: seconds,
 * milliseconds with 12 digits or more. `now` is when the response was complete. Spans have one of the units ms, s, min, h
 * and d.
 *
 * For a missing path, header or cookie every positive comparison fails, including `isNotNull`, `isEmpty` and
 * `isNotEmpty`; `notExists`, `notEquals`, `notContains`, `noneOf` and `notMatches` pass.
 *
 * A target that is nothing but `{{name}}` is the captured value with its JSON type. A variable that was typed (of an
 * environment, a circle or a data row) is read as if it were typed in its place: for `jsonPath` and for numbers `404` is
 * a number and `"404"` a text; for sources and comparisons of text it is text.
 *
 * A JSONPath of names and indexes yields the value at that path. Any other yields the list of all values it selects,
 * which does not exist when empty; comparisons that need a single value use the only value of a one-element list.
 *
 * `bodySize` and `bodySha256` (hex) are of the body's bytes after `Content-Encoding`, whether they are text or not; `charset`
 * is the one that `Content-Type` names. Both texts are compared without regard to case.
 *
 * An XPath (1.0) reads an XML or HTML body as text: of one selected node its string value, of several the list of theirs;
 * a function or an operator gives its text. Prefixes are those declared at the root of the document;
 * elements of its default namespace are found by `local-name()`. Names in HTML are in lower case.
 */
export const assertion = z
  .object({
    source: z.enum(assertionSources),
    property: orNone(z.string().max(2_000)),
    comparison: z.enum(comparisons),
    target: z.unknown().optional(),
    targetJson: orNone(z.string().max(2_000_000)).describe(
      "The target as JSON text, where `target` has a number that many JSON parsers round or write differently, such as 9007199254740993 or 1.0. It is generated from `target`, need not be sent, and may differ from `target` only by that rounding.",
    ),
    variableType: orNone(z.enum(["text"])).describe(
      "`text`: a target that is nothing but a variable is text, whatever the variable's value looks like.",
    ),
  })
  .openapi("Assertion");
export type Assertion = z.infer<typeof assertion>;
