import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft04 from "ajv-draft-04";
import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";

// Both are CommonJS; their default export depends on the importer.
const Ajv04 = ("default" in draft04 ? draft04.default : draft04) as unknown as typeof Ajv2020;

const require = createRequire(import.meta.url);
const compiled = new Map<SpecificationVersion, ValidateFunction>();

/** The JSON Schema the OpenAPI Initiative publishes for a version, compiled once per thread (about 0.2 s). */
export function standardSchema(version: SpecificationVersion): ValidateFunction {
  const known = compiled.get(version);
  if (known) return known;
  const path = require.resolve(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`);
  const Ajv = version === "3.1" || version === "3.2" ? Ajv2020 : Ajv04;
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
  compiled.set(version, validate);
  return validate;
}
