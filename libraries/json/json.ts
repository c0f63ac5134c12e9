/**
 * A number whose text neither a double nor an integer of 1,000 digits can hold (`1e999999`). Kept as written, so that a
 * comparison can say that it cannot be made instead of being made with Infinity or 0.
 */
export class OutsizeNumber {
  /** Private, so that walking the value meets no members where there is a number. */
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get text(): string {
    return this.#text;
  }
}

/** JSON as it was sent: integers beyond ±(2^53 − 1) are bigint, so that they compare exactly. */
export type Json = null | boolean | number | bigint | string | OutsizeNumber | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

export function typeOfJson(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint" || value instanceof OutsizeNumber) return "number";
  return typeof value as "boolean" | "number" | "string" | "object";
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeOfJson(value) === "object";
}
