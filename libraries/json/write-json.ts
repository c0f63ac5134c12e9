import { canonicalNumber, ExactNumber } from "./exact-number.ts";
import type { Json } from "./json.ts";
import { setMember } from "./json-value.ts";

/** JSON as text, each number as it was written. */
export function writeJson(value: Json): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`)
    .join(",")}}`;
}

/** `JSON.stringify(value, null, 2)`, each number as it was written. */
export function writeIndentedJson(value: unknown): string {
  return hasExactNumber(value as Json) ? writeIndented(value as Json, "") : (JSON.stringify(value, null, 2) ?? "");
}

function writeIndented(value: Json, indent: string): string {
  if (value instanceof ExactNumber || typeof value !== "object" || value === null) return writeJson(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const lines = Array.isArray(value)
    ? value.map((item) => writeIndented(item, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${writeIndented(member, inner)}`);
  return lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Whether `JSON.stringify` would write a number differently. */
export function hasExactNumber(value: Json): boolean {
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(hasExactNumber);
  return typeof value === "object" && value !== null && Object.values(value).some(hasExactNumber);
}

/** The same value with doubles in place of the exact numbers, in one pass. Unchanged parts are shared. */
export function replaceExactNumbers(
  value: Json,
  replace: (number: ExactNumber) => number,
  /** Called for each list and object that has one, with its copy. */
  onCopy: (copy: object, original: Json) => void = () => {},
): unknown {
  if (value instanceof ExactNumber) return replace(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceExactNumbers(item, replace, onCopy));
    if (items.every((item, index) => item === value[index])) return value;
    onCopy(items, value);
    return items;
  }
  const names = Object.keys(value);
  const members = names.map((name) => replaceExactNumbers(value[name]!, replace, onCopy));
  if (members.every((member, index) => member === value[names[index]!])) return value;
  const copy = {};
  for (const [index, name] of names.entries()) setMember(copy, name, members[index]);
  onCopy(copy, value);
  return copy;
}

/** The same value with the nearest double for each number, for code that knows no others. Unchanged parts are shared. */
export function toPlainJson(value: Json): unknown {
  return replaceExactNumbers(value, nearestDouble);
}

/** Never infinite: `JSON.stringify` would write null. */
export function nearestDouble({ text }: ExactNumber): number {
  return Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** One text for all values that are equal: members in order, numbers without regard to how they were written. */
export function canonicalText(value: Json): string {
  if (typeof value === "number" || value instanceof ExactNumber) return canonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name]!)}`)
    .join(",")}}`;
}
