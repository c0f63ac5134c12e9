import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
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
  const Ajv = version === "3.1" || version === "3.2" ? Ajv2020 : Ajv04;
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(readFileSync(findSchema(version), "utf8")));
  compiled.set(version, validate);
  return validate;
}

/** A bundled program that is sent without its packages has the schemas in its own folder. */
function findSchema(version: SpecificationVersion): string {
  const path = `schemas/v${version}/schema.json`;
  const bundled = join(process.env.BUNDLED_PROGRAMS ?? "", path);
  if (existsSync(bundled)) return bundled;
  return require.resolve(`@seriousme/openapi-schema-validator/${path}`);
}
