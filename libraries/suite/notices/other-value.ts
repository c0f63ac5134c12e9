import { equalJson, isJsonNumber } from "../../json/compare-json.ts";
import type { Json } from "../../json/json.ts";
import { findForm } from "./value-form.ts";

/** Of the same form as a UUID or a date, so that only its value is wrong. */
const others: Record<string, [string, string]> = {
  "a UUID": ["00000000-0000-4000-8000-000000000000", "11111111-1111-4111-8111-111111111111"],
  "a date and time": ["2001-02-03T04:05:06Z", "2002-03-04T05:06:07Z"],
};

const currency = /^[A-Z]{3}$/;

/** Another value of the same type, if possible one that the document allows; undefined for lists, objects and null. */
export function findOtherValue(value: Json, documented: readonly Json[] = []): Json | undefined {
  const other = documented.find((one) => !equalJson(one, value));
  if (other !== undefined) return other;
  if (typeof value === "boolean") return !value;
  if (isJsonNumber(value)) return Number.isSafeInteger(value) ? (value as number) + 1 : 1;
  if (typeof value !== "string") return undefined;
  const form = findForm(value);
  if (form) return others[form.name]!.find((one) => one.toLowerCase() !== value.toLowerCase());
  const [year, ...rest] = value.split("-");
  if (/^\d{4}$/.test(year!) && rest.length === 2) return `${year === "2001" ? "2002" : "2001"}-02-03`;
  if (currency.test(value)) return value === "XAF" ? "XPF" : "XAF";
  return value.startsWith("another") ? "some text" : "another text";
}

/** A value of another type; undefined for null. */
export function findOtherType(value: Json): Json | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return 1;
  if (isJsonNumber(value) || typeof value === "boolean") return "a text";
  return Array.isArray(value) ? {} : [];
}

const nouns: [test: (value: Json) => boolean, noun: string][] = [
  [(value) => typeof value === "string", "a text"],
  [(value) => isJsonNumber(value), "a number"],
  [(value) => typeof value === "boolean", "true or false"],
  [(value) => Array.isArray(value), "a list"],
];

export function nameType(value: Json): string {
  return nouns.find(([isIt]) => isIt(value))?.[1] ?? (value === null ? "null" : "an object");
}
