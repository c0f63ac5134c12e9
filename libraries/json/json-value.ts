import { ExactNumber } from "./exact-number.ts";

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Reads own members only: a document may use names such as `constructor` or `toString`. */
export function getMember(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets an own member of any name; plain assignment of `__proto__` would change the prototype instead. */
export function setMember(record: JsonRecord, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[key] = value;
  }
}

export function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text member, `""` when absent; numbers and booleans as text, since YAML parses unquoted words as such. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

export function toOptionalText(value: unknown): string | undefined {
  return toText(value) || undefined;
}

export function toTexts(value: unknown): string[] {
  return toList(value)
    .map(toText)
    .filter((text) => text !== "");
}
