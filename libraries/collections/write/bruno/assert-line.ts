import type { CollectedAssertion } from "../../collection.ts";
import { splitText } from "../placeholders.ts";
import { type ScriptReader, writeSubject } from "../script/condition.ts";
import type { Entry } from "./markup.ts";

const operators: Record<string, string> = {
  equals: "eq",
  notEquals: "neq",
  lessThan: "lt",
  lessThanOrEqual: "lte",
  greaterThan: "gt",
  greaterThanOrEqual: "gte",
};

const unary: Record<string, string> = { exists: "isDefined", isNull: "isNull" };

const types: Record<string, string> = {
  string: "isString",
  number: "isNumber",
  boolean: "isBoolean",
  array: "isArray",
};

/** A line of the assert block; undefined for what only a script says exactly. */
export function writeAssertLine(assertion: CollectedAssertion, reader: ScriptReader): Entry | undefined {
  const { source, comparison, target } = assertion;
  if (source !== "statusCode" && source !== "jsonPath" && source !== "responseTime") return undefined;
  const subject = writeSubject(assertion, reader);
  if ("reason" in subject || subject.isList) return undefined;
  const name = subject.code.replaceAll("?.[", "[").replaceAll("?.", ".");
  if (name.includes('"') || name.includes("at(")) return undefined;
  if (comparison in unary) return { name, value: unary[comparison]! };
  if (comparison === "hasType") return types[String(target)] ? { name, value: types[String(target)]! } : undefined;
  const operator = operators[comparison];
  const value = operator === undefined ? undefined : writeOperand(target);
  return value === undefined ? undefined : { name, value: `${operator} ${value}` };
}

function writeOperand(target: unknown): string | undefined {
  if (typeof target === "number" || typeof target === "boolean") return String(target);
  if (typeof target !== "string" || !/^[\w .,:/@+-]+$/.test(target)) return undefined;
  return splitText(target).every((piece) => "literal" in piece) ? JSON.stringify(target) : undefined;
}
