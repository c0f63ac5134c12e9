import type { ErrorObject, ValidateFunction } from "ajv";
import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { adviseOnField } from "./wording.ts";

/** Returns the compiled JSON Schema that the OpenAPI Initiative publishes for a version. */
export type StandardSchema = (version: SpecificationVersion) => ValidateFunction;

/**
 * A final check against the standard's own schema. Our rules have better messages, so it only reports locations where
 * they found nothing near.
 */
export function validateByStandard(
  value: unknown,
  version: SpecificationVersion,
  standardSchema: StandardSchema,
  diagnostics: Diagnostics,
): void {
  const validate = standardSchema(version);
  if (validate(value)) return;
  const errors = (validate.errors ?? []).filter(({ keyword }) => !["oneOf", "anyOf", "if", "$ref"].includes(keyword));
  const deepest = errors.sort((one, other) => other.instancePath.length - one.instancePath.length)[0];
  if (!deepest || isExplained(deepest.instancePath, diagnostics)) return;
  diagnostics.error({ file: "", pointer: deepest.instancePath }, reportError(deepest, version));
}

/** True if a diagnostic exists for the object that the standard's schema rejects. */
function isExplained(pointer: string, diagnostics: Diagnostics): boolean {
  const holder = pointer.slice(0, pointer.lastIndexOf("/"));
  return diagnostics.found.some(
    ({ file, pointer: found }) =>
      file === "" && (found === holder || found.startsWith(`${holder}/`) || pointer.startsWith(`${found}/`)),
  );
}

function reportError({ keyword, params, message }: ErrorObject, version: SpecificationVersion): string {
  const standard = `OpenAPI ${version} does not allow this`;
  switch (keyword) {
    case "required":
      return `"${params.missingProperty}" is missing here.`;
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      return `"${name}" is no field here in OpenAPI ${version}${adviseOnField(name, [], true, version)}`;
    }
    case "enum":
      return `${standard}: the value has to be one of ${JSON.stringify(params.allowedValues)}.`;
    case "const":
      return `${standard}: the value has to be ${JSON.stringify(params.allowedValue)}.`;
    case "type":
      return `${standard}: the value has to be of type ${String(params.type)}.`;
    case "format":
      return `${standard}: the value has to be a ${String(params.format)}.`;
    case "pattern":
      return `${standard}: the value has to match ${String(params.pattern)}.`;
    default:
      return `${standard}: the value ${message ?? "is not valid"}.`;
  }
}
