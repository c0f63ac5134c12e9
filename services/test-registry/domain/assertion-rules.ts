import type { FieldError } from "#contracts/kit/problem.ts";
import type { Assertion, AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import type { Capture } from "#contracts/test-registry/tests.ts";
import { equalJson } from "#libraries/json/compare-json.ts";
import type { Json } from "#libraries/json/json.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { toPlainJson } from "#libraries/json/write-json.ts";
import { InvalidJsonPath, parseJsonPath } from "#libraries/json-path/json-path.ts";
import { compilePattern, UnsupportedPattern } from "#libraries/pattern/pattern.ts";
import { InvalidXPath, parseXPath } from "#libraries/xpath/xpath.ts";
import { findTargetError } from "./target-rules.ts";

const order = ["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual", "between"] as const;
const equality = ["equals", "notEquals", "oneOf", "noneOf"] as const;
const dates = ["before", "after", "within"] as const;
const presence = ["exists", "notExists"] as const;
const number: Comparison[] = [...equality, ...order];
const text: Comparison[] = [
  ...number,
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "matches",
  "notMatches",
  "isEmpty",
  "isNotEmpty",
  "lengthEquals",
  "lengthLessThan",
  "lengthGreaterThan",
];

const fitting: Record<AssertionSource, readonly Comparison[]> = {
  statusCode: number,
  responseTime: number,
  bodySize: number,
  bodySha256: equality,
  charset: [...equality, ...presence],
  certificate: [...number, ...presence],
  header: [...text, ...presence, ...dates],
  cookie: [...text, ...presence, ...dates],
  body: [...text, ...presence, ...dates],
  xPath: [...text, ...presence, ...dates],
  url: text,
  jsonPath: [...text, ...presence, ...dates, "isNull", "isNotNull", "hasType", "matchesSchema"],
  schema: ["matchesSchema"],
};

const sourceNames: Record<AssertionSource, string> = {
  statusCode: "The status code",
  header: "A header",
  body: "The body's text",
  jsonPath: "What a JSONPath selects",
  xPath: "What an XPath selects",
  schema: "The schema",
  responseTime: "The response time",
  bodySize: "The body's size",
  bodySha256: "The body's SHA-256",
  charset: "The charset",
  cookie: "A cookie",
  certificate: "The certificate's days left",
  url: "The address",
};

/** Why the property does not fit its source; undefined when it does. */
function findPropertyError(source: AssertionSource, property: string | undefined): string | undefined {
  if (source === "header" || source === "cookie") {
    return property?.trim() ? undefined : `Name the ${source}`;
  }
  if (source === "xPath") return findXPathError(property);
  if (source !== "jsonPath") return undefined;
  if (!property?.trim()) return "Enter a JSONPath, e.g. $.items[0].id";
  if (/\{\{[^{}]+\}\}/.test(property)) return undefined;
  try {
    parseJsonPath(property);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidJsonPath) return error.message;
    throw error;
  }
}

function findXPathError(property = ""): string | undefined {
  if (property.trim() === "") return "Enter an XPath, e.g. //item[1]/@id";
  if (/\{\{[^{}]+\}\}/.test(property)) return undefined;
  try {
    parseXPath(property);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidXPath) return error.message;
    throw error;
  }
}

/** The target with every digit; an error if its text says something else. */
function readExactTarget({ target, targetJson }: Assertion): { target: unknown } | { error: string } {
  if (targetJson === undefined) return { target };
  try {
    const exact = parseJson(targetJson);
    if (target !== undefined && equalJson(toPlainJson(exact) as Json, target as Json)) return { target: exact };
    return { error: "This is not the target. Leave it out: it is generated from the target" };
  } catch (error) {
    if (error instanceof UnreadableJson)
      return { error: "This is not JSON. Leave it out: it is generated from the target" };
    throw error;
  }
}

/** Errors of assertions, by field. */
export function findAssertionErrors(assertions: Assertion[]): FieldError[] {
  return assertions.flatMap((assertion, index) => {
    const { source, property, comparison } = assertion;
    const path = `assertions[${index}]`;
    const read = readExactTarget(assertion);
    if ("error" in read) return [{ path: `${path}.targetJson`, message: read.error }];
    const { target } = read;
    const errors: FieldError[] = [];
    const propertyError = findPropertyError(source, property);
    if (propertyError) errors.push({ path: `${path}.property`, message: propertyError });
    if (!fitting[source].includes(comparison)) {
      errors.push({ path: `${path}.comparison`, message: `${sourceNames[source]} can't be judged by ${comparison}` });
      return errors;
    }
    const targetError = findTargetError(source, comparison, target);
    if (targetError) errors.push({ path: `${path}.target`, message: targetError });
    return errors;
  });
}

function findPatternError(pattern: string | undefined): string | undefined {
  try {
    if (pattern) compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error.message;
    throw error;
  }
}

function findHeaderPatternError(source: Capture["source"], pattern: string): string | undefined {
  if (source === "header" || source === "cookie") return findPatternError(pattern);
  return "Only the value of a header or a cookie is searched by a pattern";
}

/** Errors of captures, by field. */
export function findCaptureErrors(captures: Capture[]): FieldError[] {
  return captures.flatMap(({ name, source, property, pattern }, index) => {
    const errors: FieldError[] = [];
    if (captures.findIndex((other) => other.name === name) < index) {
      errors.push({ path: `captures[${index}].name`, message: `Another capture is named ${name}` });
    }
    const captureError = source === "body" ? findPatternError(property) : findPropertyError(source, property);
    if (captureError) errors.push({ path: `captures[${index}].property`, message: captureError });
    const patternError = pattern && findHeaderPatternError(source, pattern);
    if (patternError) errors.push({ path: `captures[${index}].pattern`, message: patternError });
    return errors;
  });
}
