import type { CollectedAssertion } from "../collection.ts";
import { toPlaceholders } from "./placeholders.ts";
import { type Subject, toPath } from "./script/value.ts";

/** What `res.body.id` and its like are of the response; undefined for other expressions. */
export function toBrunoSubject(expression: string): Subject | undefined {
  const text = expression.trim();
  if (/^res\.(status|getStatus\(\))$/.test(text)) return { source: "statusCode", property: undefined };
  if (/^res\.(responseTime|getResponseTime\(\))$/.test(text)) return { source: "responseTime", property: undefined };
  const header = /^res\.(?:headers\.|headers\[['"]|getHeader\(['"])([\w-]+)(?:['"][\])])?$/.exec(text)?.[1];
  if (header !== undefined) return { source: "header", property: header };
  const queried = /^res\(\s*['"]([^'"]+)['"]\s*\)$/.exec(text)?.[1];
  // The query language of its own has more than paths: `..` and filters are left out.
  if (queried !== undefined)
    return /\.\.|[?*]/.test(queried) ? undefined : { source: "jsonPath", property: toPath(queried) };
  const [, rest] = /^res\.(?:body|getBody\(\))((?:\??\.[\w$]+|\[\d+\]|\[['"][^'"]+['"]\])*)$/.exec(text) ?? [];
  if (rest === undefined) return undefined;
  return { source: "jsonPath", property: toPath(rest.replace(/\?/g, "").replace(/^\./, "")) };
}

/** JSON where the text is JSON, as its app reads values. */
function toValue(text: string): unknown {
  const trimmed = text.trim();
  const quoted = /^(['"])(.*)\1$/s.exec(trimmed)?.[2];
  if (quoted !== undefined) return toPlaceholders(quoted);
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(trimmed)) return JSON.parse(trimmed);
  return toPlaceholders(trimmed);
}

const operators = new Set(
  "eq neq gt gte lt lte in notIn contains notContains length matches notMatches startsWith endsWith between isEmpty isNotEmpty isNull isUndefined isDefined isTruthy isFalsy isJson isNumber isString isBoolean isArray".split(
    " ",
  ),
);

const comparisons: Record<string, string> = {
  eq: "equals",
  neq: "notEquals",
  gt: "greaterThan",
  gte: "greaterThanOrEqual",
  lt: "lessThan",
  lte: "lessThanOrEqual",
  contains: "contains",
  notContains: "notContains",
  length: "lengthEquals",
  startsWith: "startsWith",
  endsWith: "endsWith",
  isEmpty: "isEmpty",
  isNotEmpty: "isNotEmpty",
  isUndefined: "notExists",
  isDefined: "exists",
  in: "oneOf",
  notIn: "noneOf",
  between: "between",
  matches: "matches",
  notMatches: "notMatches",
};

const types: Record<string, string> = {
  isNumber: "number",
  isString: "string",
  isBoolean: "boolean",
  isArray: "array",
  isJson: "object",
};

/** An assertion such as `res.status: eq 200`; undefined where no assertion says the same. */
export function toBrunoAssertion(expression: string, written: string): CollectedAssertion | undefined {
  const subject = toBrunoSubject(expression);
  if (!subject) return undefined;
  const [first = "", ...rest] = written.trim().split(/\s+/);
  const operator = operators.has(first) ? first : "eq";
  const operand = operators.has(first) ? written.trim().slice(first.length).trim() : written.trim();
  const isJson = subject.source === "jsonPath";
  const make = (comparison: string, target?: unknown) => ({ ...subject, comparison, target });
  if (operator in types) return isJson && rest.length === 0 ? make("hasType", types[operator]) : undefined;
  if (operator === "isNull") return isJson ? make("isNull") : make("notExists");
  // Truth of any value but a boolean is not what it says.
  if (operator === "isTruthy" || operator === "isFalsy") return undefined;
  const comparison = comparisons[operator]!;
  if (operator === "in" || operator === "notIn" || operator === "between") {
    const values = operand
      .replace(/^\[|\]$/g, "")
      .split(",")
      .map(toValue);
    return make(comparison, values);
  }
  if (operator === "matches" || operator === "notMatches")
    return make(comparison, operand.replace(/^\/(.*)\/$/s, "$1"));
  return /^is/.test(operator) ? make(comparison) : make(comparison, toValue(operand));
}
