import type { CollectedAssertion, CollectedCapture } from "../../collection.ts";
import { findOnlyVariable, rewrite } from "../placeholders.ts";

/** Runtime expressions of variables: `$inputs.name`, or `$steps.step.outputs.name`. */
export type Resolve = (variable: string) => string;

/** A text whose variables are runtime expressions. */
export function writeTemplate(text: string, resolve: Resolve): string {
  const only = findOnlyVariable(text);
  return only === undefined ? rewrite(text, (name) => `{${resolve(name)}}`) : resolve(only);
}

/** A JSON value whose texts have runtime expressions. */
export function writePayload(value: unknown, resolve: Resolve): unknown {
  if (typeof value === "string") return writeTemplate(value, resolve);
  if (Array.isArray(value)) return value.map((item) => writePayload(item, resolve));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, writePayload(item, resolve)]));
}

const step = /\.([\p{L}_][\p{L}\p{N}_]*)|\[(\d+)\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/uy;

/** The JSON Pointer (RFC 6901) of a JSONPath of names and indexes; undefined for any other. */
export function toPointer(path: string): string | undefined {
  let pointer = "";
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (!found) return undefined;
    const name = found.slice(1).find((part) => part !== undefined) ?? "";
    pointer += `/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`;
    at += found[0].length;
  }
  return path.startsWith("$") ? pointer : undefined;
}

type Unsaid = { reason: string };

function writeSource({ source, property = "" }: Pick<CollectedAssertion, "source" | "property">): string | Unsaid {
  switch (source) {
    case "statusCode":
      return "$statusCode";
    case "header":
      return `$response.header.${property}`;
    case "url":
      return "$url";
    case "body":
      return "$response.body";
    case "jsonPath": {
      const pointer = toPointer(property);
      if (pointer === undefined)
        return { reason: "A condition compares what a JSON Pointer finds: names and indexes." };
      return pointer === "" ? "$response.body" : `$response.body#${pointer}`;
    }
    default:
      return { reason: "Arazzo has no runtime expression for it." };
  }
}

export interface Criterion {
  condition: string;
  context?: string;
  type?: string;
}

const operators: Record<string, string> = {
  equals: "==",
  notEquals: "!=",
  lessThan: "<",
  lessThanOrEqual: "<=",
  greaterThan: ">",
  greaterThanOrEqual: ">=",
};

const escapePattern = (text: string) => text.replace(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");

/** Criteria of an assertion, or why there are none. */
export function writeCriteria(assertion: CollectedAssertion, resolve: Resolve): Criterion[] | Unsaid {
  const { source, property = "", comparison, target } = assertion;
  if (source === "jsonPath" && comparison === "exists") {
    return [{ context: "$response.body", condition: property, type: "jsonpath" }];
  }
  const subject = writeSource(assertion);
  if (typeof subject !== "string") return subject;
  const literal = (value: unknown) => writeLiteral(value, resolve);
  const match = (condition: string): Criterion[] => [{ context: subject, condition, type: "regex" }];
  const text = typeof target === "string" && !/\{\{/.test(target) ? target : undefined;
  const items = Array.isArray(target) ? target.map(literal) : [];
  if (comparison in operators) {
    const value = literal(target);
    return value === undefined ? unwritable : [{ condition: `${subject} ${operators[comparison]} ${value}` }];
  }
  switch (comparison) {
    case "between":
      return [{ condition: `${subject} >= ${items[0]} && ${subject} <= ${items[1]}` }];
    case "oneOf":
      if (items.includes(undefined)) return unwritable;
      return [{ condition: items.map((item) => `${subject} == ${item}`).join(" || ") }];
    case "noneOf":
      if (items.includes(undefined)) return unwritable;
      return [{ condition: items.map((item) => `${subject} != ${item}`).join(" && ") }];
    case "isNull":
      return [{ condition: `${subject} == null` }];
    case "isNotNull":
    case "exists":
      return [{ condition: `${subject} != null` }];
    case "matches":
      return text === undefined ? unwritable : match(text);
    case "contains":
      return text === undefined || source === "jsonPath" ? unwritable : match(escapePattern(text));
    case "startsWith":
      return text === undefined ? unwritable : match(`^${escapePattern(text)}`);
    case "endsWith":
      return text === undefined ? unwritable : match(`${escapePattern(text)}$`);
    default:
      return { reason: "Conditions of Arazzo have no such comparison." };
  }
}

const unwritable: Unsaid = { reason: "Conditions of Arazzo compare with texts, numbers, booleans and null only." };

function writeLiteral(value: unknown, resolve: Resolve): string | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const only = findOnlyVariable(value);
  if (only !== undefined) return resolve(only);
  return `'${rewrite(value, (name) => `{${resolve(name)}}`).replace(/'/g, "''")}'`;
}

/** An output of a step, or why there is none. */
export function writeOutput(capture: CollectedCapture): string | Record<string, string> | Unsaid {
  const { source, property = "", pattern } = capture;
  if (pattern || (source === "body" && property)) return { reason: "Outputs of Arazzo have no regular expressions." };
  if (source === "jsonPath" && toPointer(property) === undefined)
    return { context: "$response.body", selector: property, type: "jsonpath" };
  if (source === "xPath") return { context: "$response.body", selector: property, type: "xpath" };
  return writeSource({ source, property });
}
