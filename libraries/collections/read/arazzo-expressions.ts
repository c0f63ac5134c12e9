import type { CollectedAssertion, CollectedCapture } from "../collection.ts";
import { toVariableName } from "./placeholders.ts";
import { toMember } from "./script/value.ts";

/** The path of a JSON Pointer (RFC 6901): `/pets/0/name` as `$.pets[0].name`. */
export function fromPointer(pointer: string): string {
  let path = "$";
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replace(/~1/g, "/").replace(/~0/g, "~");
    path = toMember(path, /^\d+$/.test(name) ? Number(name) : name);
  }
  return path;
}

/** The variable that an expression is the value of; undefined for others. */
export function toVariable(expression: string): string | undefined {
  const [, input] = /^\$inputs\.([\w.-]+)$/.exec(expression) ?? [];
  if (input !== undefined) return toVariableName(input);
  const [, step, output] = /^\$(?:steps|workflows)\.([\w-]+)\.outputs\.([\w.-]+)$/.exec(expression) ?? [];
  return step === undefined ? undefined : toVariableName(`${step}_${output}`);
}

/** A text in which expressions are placeholders: whole, or in braces. */
export function fillExpressions(text: string, unknown: (expression: string) => void): string {
  if (text.startsWith("$") && !/\s/.test(text)) {
    const variable = toVariable(text);
    if (variable === undefined) unknown(text);
    return variable === undefined ? text : `{{${variable}}}`;
  }
  return text.replace(/\{(\$[\w.#/~-]+)\}/g, (whole, expression: string) => {
    const variable = toVariable(expression);
    if (variable === undefined) unknown(expression);
    return variable === undefined ? whole : `{{${variable}}}`;
  });
}

interface Subject {
  source: "statusCode" | "header" | "jsonPath" | "body" | "url";
  property: string | undefined;
}

/** What an expression is of the response. */
export function toResponsePart(expression: string): Subject | undefined {
  const text = expression.trim();
  if (text === "$statusCode") return { source: "statusCode", property: undefined };
  if (text === "$url") return { source: "url", property: undefined };
  if (text === "$response.body") return { source: "body", property: undefined };
  const [, pointer] = /^\$response\.body#(\/\S*)?$/.exec(text) ?? [];
  if (text.startsWith("$response.body#")) return { source: "jsonPath", property: fromPointer(pointer ?? "") };
  const [, member] = /^\$response\.body((?:\.[\w-]+|\[\d+\])+)$/.exec(text) ?? [];
  if (member !== undefined) return { source: "jsonPath", property: `$${member}` };
  const [, header] = /^\$response\.header\.([\w-]+)$/.exec(text) ?? [];
  return header === undefined ? undefined : { source: "header", property: header };
}

export function toArazzoCapture(name: string, expression: string): CollectedCapture | undefined {
  const part = toResponsePart(expression);
  if (!part || part.source === "url") return undefined;
  return { name, source: part.source, property: part.property, pattern: undefined, secret: false };
}

const comparisons: Record<string, string> = {
  "==": "equals",
  "!=": "notEquals",
  "<": "lessThan",
  "<=": "lessThanOrEqual",
  ">": "greaterThan",
  ">=": "greaterThanOrEqual",
};

function toTarget(text: string): { target: unknown } | undefined {
  const trimmed = text.trim();
  const quoted = /^(['"])(.*)\1$/s.exec(trimmed)?.[2];
  if (quoted !== undefined) return { target: quoted.replace(/''/g, "'") };
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(trimmed)) return { target: JSON.parse(trimmed) };
  const variable = toVariable(trimmed);
  return variable === undefined ? undefined : { target: `{{${variable}}}` };
}

/** A simple condition, or several joined by `&&`; undefined where no assertions say the same. */
export function toConditions(condition: string): CollectedAssertion[] | undefined {
  if (/\|\||(^|[\s(])!/.test(condition)) return undefined;
  const assertions = condition.split("&&").map((part): CollectedAssertion | undefined => {
    const plain = part.trim().replace(/^\((.*)\)$/s, "$1");
    const [, left = "", operator = "", right = ""] = /^(\S+)\s*(==|!=|<=|>=|<|>)\s*(\S.*)$/s.exec(plain) ?? [];
    const [subject, target] = [toResponsePart(left), toTarget(right)];
    return subject && target ? { ...subject, comparison: comparisons[operator]!, ...target } : undefined;
  });
  return assertions.every((one) => one !== undefined) ? assertions : undefined;
}
