import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import type { Show } from "../describe-value.ts";
import type { JudgedOperation } from "../judged-response.ts";

/** One place where a value does not meet its schema. */
export interface SchemaFault {
  /** RFC 6901, into the value. */
  pointer: string;
  /** Into the document, or into the given schema. */
  schemaPointer: string;
  message: string;
  expected?: unknown;
  actual?: unknown;
}

export interface SchemaResult {
  faults: SchemaFault[];
  /** Said when the value met all but a pattern that can't be evaluated. */
  unsupportedPattern?: string;
}

/** A schema with where it stands. */
export interface PlacedSchema {
  schema: SchemaObject;
  /** Pointer of the schema, in front of every schema pointer of its faults. */
  pointer: string;
  /** `document`: written in the document's dialect. `given`: a JSON Schema of 2020-12. */
  origin: "document" | "given";
}

/** Judges values by JSON Schemas. Costly: belongs into the thread with a time limit. */
export interface SchemaValidator {
  /**
   * @param value plain JSON, every number a double
   * @param show a value as faults may tell of it
   * @throws Unjudgeable when the schema can't be used
   */
  validate(placed: PlacedSchema, value: unknown, operation: JudgedOperation | undefined, show?: Show): SchemaResult;
}

/** Stands where no schema may be judged: reaching it is a fault of ours. */
export const noSchemas: SchemaValidator = {
  validate() {
    throw new Error("schemas are judged in the thread with a time limit");
  },
};

/** A pointer whose names, which a server may choose, are shown without secrets. */
export function showPointer(pointer: string, show: Show): string {
  return pointer
    .split("/")
    .map((step) => (/^\d{1,9}$/.test(step) ? step : show(step)))
    .join("/");
}
