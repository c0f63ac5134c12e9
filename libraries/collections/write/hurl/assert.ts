import type { CollectedAssertion, CollectedCapture } from "../../collection.ts";
import { findOnlyVariable } from "../placeholders.ts";
import { writeJsonPath } from "../script/json-path-code.ts";
import { quote, writeVariable } from "./text.ts";

type Unsaid = { reason: string };

const regex = (source: string) => `/${source.replace(/\//g, "\\/")}/`;

/** Filters are in parentheses, which RFC 9535 allows. */
const writeFilters = (path: string) => path.replace(/\[\?(?!\()([^[\]]*)\]/g, "[?($1)]");

/** `query` of the grammar. */
function writeQuery({ source, property = "" }: { source: string; property?: string | undefined }): string | Unsaid {
  switch (source) {
    case "statusCode":
      return "status";
    case "header":
    case "cookie":
      return `${source} ${quote(property)}`;
    case "body":
    case "url":
      return source;
    case "jsonPath":
      return `jsonpath ${quote(writeFilters(property))}`;
    case "xPath":
      return `xpath ${quote(property)}`;
    case "responseTime":
      return "duration";
    case "bodySize":
      return "bytes count";
    case "bodySha256":
      return "sha256";
    case "certificate":
      return 'certificate "Expire-Date" daysAfterNow';
    default:
      return { reason: "Hurl has no query for it." };
  }
}

const isSingular = (path: string | undefined) => writeJsonPath("", path ?? "")?.isList === false;

function writeScalar(target: unknown, isText: boolean): string | undefined {
  if (typeof target === "string") {
    const variable = findOnlyVariable(target);
    return variable !== undefined && !isText ? writeVariable(variable) : quote(target);
  }
  if (typeof target === "number") return Number.isFinite(target) ? toDecimal(target) : undefined;
  return typeof target === "boolean" || target === null ? String(target) : undefined;
}

/** The grammar has no exponents. */
function toDecimal(number: number): string | undefined {
  const text = String(number);
  return /e/i.test(text) ? undefined : text;
}

const types: Record<string, string> = {
  string: "isString",
  number: "isNumber",
  integer: "isInteger",
  boolean: "isBoolean",
  array: "isCollection",
  object: "isCollection",
  null: "== null",
};

const orders: Record<string, string> = {
  lessThan: "<",
  lessThanOrEqual: "<=",
  greaterThan: ">",
  greaterThanOrEqual: ">=",
};

const textual = new Set(["header", "cookie", "body", "url", "xPath"]);
const single = new Set(["exists", "notExists", "contains", "notContains", "isEmpty", "isNotEmpty", "lengthEquals"]);
for (const comparison of ["lengthLessThan", "lengthGreaterThan"]) single.add(comparison);

/** Lines of `[Asserts]`, or why there are none. */
export function writeAsserts(assertion: CollectedAssertion): string[] | Unsaid {
  const { source, property, comparison, target } = assertion;
  if (source === "schema" || comparison === "matchesSchema") return { reason: "Hurl has no JSON Schema." };
  if (source === "jsonPath" && !isSingular(property) && !single.has(comparison)) {
    return { reason: "Hurl compares the list of all values that the JSONPath selects." };
  }
  let query = writeQuery(assertion);
  if (typeof query !== "string") return query;
  if (source === "xPath" && !/exist/i.test(comparison)) query = `xpath ${quote(`string(${property})`)}`;
  const isText = textual.has(source);
  const isNumber = typeof target === "number" && isText;
  if (isNumber) query += Number.isInteger(target) ? " toInt" : " toFloat";
  const predicates =
    source === "bodySha256" ? writeHash(comparison, target) : writePredicates(comparison, target, isText);
  if ("reason" in predicates) return predicates;
  const isList = source === "jsonPath" && !isSingular(property);
  return predicates.map(
    (predicate) => `${query} ${isList ? predicate.replace(/\bcontains /, "includes ") : predicate}`,
  );
}

function writeHash(comparison: string, target: unknown): string[] | Unsaid {
  if (comparison === "equals" && typeof target === "string" && /^[\da-f]{64}$/i.test(target))
    return [`== hex,${target.toLowerCase()};`];
  return { reason: "Hurl compares a hash with one hash only." };
}

const unwritable: Unsaid = { reason: "Hurl compares with texts, numbers, booleans and null only." };

function writePredicates(comparison: string, target: unknown, isText: boolean): string[] | Unsaid {
  const scalar = writeScalar(target, isText);
  if (comparison in orders) {
    return typeof target === "number" || findOnlyVariable(String(target))
      ? [`${orders[comparison]} ${scalar}`]
      : { reason: "Hurl orders numbers only." };
  }
  const text = typeof target === "string" ? quote(target) : undefined;
  switch (comparison) {
    case "equals":
      return scalar === undefined ? unwritable : [`== ${scalar}`];
    case "notEquals":
      return scalar === undefined ? unwritable : [`!= ${scalar}`];
    case "between": {
      const [from, to] = Array.isArray(target) ? target : [];
      const isWritable = typeof from === "number" && typeof to === "number" && !isText;
      return isWritable ? [`>= ${toDecimal(from)}`, `<= ${toDecimal(to)}`] : { reason: "Hurl orders numbers only." };
    }
    case "oneOf":
      return writeOneOf(Array.isArray(target) ? target : [], isText);
    case "noneOf": {
      const items = (Array.isArray(target) ? target : []).map((item) => writeScalar(item, isText));
      return items.includes(undefined) ? unwritable : items.map((item) => `!= ${item}`);
    }
    case "contains":
    case "notContains":
      if (scalar === undefined) return unwritable;
      return [`${comparison === "contains" ? "" : "not "}contains ${scalar}`];
    case "startsWith":
    case "endsWith":
      return text === undefined ? unwritable : [`${comparison} ${text}`];
    case "matches":
    case "notMatches":
      if (typeof target !== "string" || /[\n\r]|\{\{/.test(target)) return unwritable;
      return [`${comparison === "matches" ? "" : "not "}matches ${regex(target)}`];
    case "exists":
      return ["exists"];
    case "notExists":
      return ["not exists"];
    case "isNull":
      return ["== null"];
    case "isNotNull":
      return ["!= null"];
    case "isEmpty":
      return ["isEmpty"];
    case "isNotEmpty":
      return ["not isEmpty"];
    case "hasType":
      return types[String(target)] ? [types[String(target)]!] : unwritable;
    case "lengthEquals":
      return [`count == ${scalar}`];
    case "lengthLessThan":
      return [`count < ${scalar}`];
    case "lengthGreaterThan":
      return [`count > ${scalar}`];
    default:
      return { reason: "Hurl has no such comparison." };
  }
}

/** Numbers without a gap are a range; texts are an expression. */
function writeOneOf(items: unknown[], isText: boolean): string[] | Unsaid {
  if (items.length === 1) return writePredicates("equals", items[0], isText);
  const numbers = items.filter((item) => Number.isInteger(item)) as number[];
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === items.length && new Set(numbers).size === to - from + 1 && !isText)
    return [`>= ${from}`, `<= ${to}`];
  if (items.length > 0 && items.every((item) => typeof item === "string" && !/[\n\r]|\{\{/.test(item))) {
    const choices = items.map((item) => String(item).replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&"));
    return [`matches ${regex(`^(${choices.join("|").replaceAll("\\/", "/")})$`)}`];
  }
  return { reason: "Hurl has no list to compare with." };
}

/** A line of `[Captures]`, or why there is none. */
export function writeCaptureQuery({ source, property, pattern, secret }: CollectedCapture): string | Unsaid {
  if (source === "body" && property) return writeFiltered("body", property, secret);
  let query = writeQuery({ source, property });
  if (typeof query !== "string") return query;
  if (source === "xPath") query = `xpath ${quote(`string(${property})`)}`;
  if (source === "jsonPath" && !isSingular(property)) query += " nth 0";
  return pattern ? writeFiltered(query, pattern, secret) : `${query}${secret ? " redact" : ""}`;
}

/** The filter takes a pattern that has a group. */
function writeFiltered(query: string, pattern: string, secret: boolean): string | Unsaid {
  if (/[\n\r]|\{\{/.test(pattern)) return { reason: "Hurl has no line breaks and variables in a pattern." };
  const hasGroup = /(?<!\\)\((?!\?)/.test(pattern);
  return `${query} regex ${regex(hasGroup ? pattern : `(${pattern})`)}${secret ? " redact" : ""}`;
}
