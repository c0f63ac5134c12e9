import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Formats have patterns beside them. */
const ajv = new Ajv2020({ strict: false, useDefaults: true, validateFormats: false, ownProperties: true });

/**
 * Creates the check of a value from elsewhere by a JSON Schema, which adds its defaults to the value.
 * @param what the value is, for errors
 */
export function createCheck<Value>(what: string, shape: Record<string, unknown>): (given: unknown) => Value {
  let validate: ValidateFunction | undefined;
  return (given) => {
    validate ??= ajv.compile(shape);
    if (validate(given)) return given as Value;
    const [{ instancePath, message } = { instancePath: "", message: "is not readable" }] = validate.errors ?? [];
    throw new Error(`${what}: ${instancePath || "it"} ${message}.`);
  };
}
