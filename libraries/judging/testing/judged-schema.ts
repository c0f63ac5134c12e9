import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Json } from "../../json/json.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { operationAnswering } from "./items.ts";

export type Version = OperationWithComponents["specificationVersion"];
export type Schema = Record<string, unknown>;

export const validator = createAjvValidator();

/** Judges a value by a schema of a document of this version. */
export function judge(version: Version, schema: Schema, value: Json, components: Record<string, Schema> = {}) {
  const operation = operationAnswering(schema, { specificationVersion: version, components });
  return validator.validate({ schema, pointer: "#/schema", origin: "document" }, value, operation);
}

export const meets = (version: Version, schema: Schema, value: Json, components?: Record<string, Schema>) =>
  judge(version, schema, value, components).faults.length === 0;
