/**
 * A number that neither a double nor an integer of 1,000 digits can represent (`1e999999`). Stored as written, so that
 * a comparison can be reported as impossible instead of comparing with Infinity or 0.
 */
export class OutsizeNumber {
  /** Private, so that code walking the value sees no members in place of a number. */
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

export function getJsonType(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint" || value instanceof OutsizeNumber) return "number";
  return typeof value as "boolean" | "number" | "string" | "object";
}

export function isJsonObject(value: Json): value is JsonObject {
  return getJsonType(value) === "object";
}
