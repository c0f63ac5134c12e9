import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import type { Json } from "../../json/json.ts";
import type { Show } from "../describe-value.ts";
import type { JudgedOperation } from "../judged-response.ts";

/** One location at which a value does not match its schema. */
export interface SchemaFault {
  /** RFC 6901, into the value. */
  pointer: string;
  /** RFC 6901, into the document or the given schema. */
  schemaPointer: string;
  message: string;
  expected?: unknown;
  actual?: unknown;
}

export interface SchemaResult {
  faults: SchemaFault[];
  /** Set when the value matched everything except a pattern that can't be evaluated. */
  unsupportedPattern?: string;
}

/** A schema with its location. */
export interface PlacedSchema {
  schema: SchemaObject;
  /** Pointer of the schema, the prefix of every schema pointer in its errors. */
  pointer: string;
  /** `document`: written in the document's dialect. `given`: a JSON Schema 2020-12. */
  origin: "document" | "given";
}

/** Validates values by JSON Schemas. Costly: runs only in the thread with a time limit. */
export interface SchemaValidator {
  /**
   * @param show redacts a value for error messages
   * @throws Unjudgeable when the schema can't be used
   */
  validate(placed: PlacedSchema, value: Json, operation: JudgedOperation | undefined, show?: Show): SchemaResult;
}

/** For threads that must not validate schemas: a call is a bug. */
export const noSchemas: SchemaValidator = {
  validate() {
    throw new Error("schemas are judged in the thread with a time limit");
  },
};

/** A pointer with secrets redacted in its names, which a server may choose. */
export function showPointer(pointer: string, show: Show): string {
  return pointer
    .split("/")
    .map((step) => (/^\d{1,9}$/.test(step) ? step : show(step)))
    .join("/");
}
