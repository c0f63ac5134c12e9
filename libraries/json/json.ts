import { ExactNumber } from "./exact-number.ts";

/** JSON as it was sent: a number that JavaScript would write differently keeps its text. */
export type Json = null | boolean | number | ExactNumber | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

export function getJsonType(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof ExactNumber) return "number";
  return typeof value as "boolean" | "number" | "string" | "object";
}

export function isJsonObject(value: Json): value is JsonObject {
  return getJsonType(value) === "object";
}
