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

/** Whether `JSON.stringify` would write a number differently. */
export function hasExactNumber(value: Json): boolean {
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(hasExactNumber);
  return typeof value === "object" && value !== null && Object.values(value).some(hasExactNumber);
}

/** The same value with `replace` in place of the exact numbers. Unchanged parts are shared. */
export function replaceExactNumbers(value: Json, replace: (number: ExactNumber) => number): unknown {
  if (value instanceof ExactNumber) return replace(value);
  if (!hasExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item) => replaceExactNumbers(item, replace));
  const replaced = {};
  for (const [name, member] of Object.entries(value as { [key: string]: Json })) {
    setMember(replaced, name, replaceExactNumbers(member, replace));
  }
  return replaced;
}

/** The same value with the nearest double for each number, for code that knows no others. Unchanged parts are shared. */
export function toPlainJson(value: Json): unknown {
  return replaceExactNumbers(value, ({ text }) =>
    Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE),
  );
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
