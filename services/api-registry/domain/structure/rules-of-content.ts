import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { DocumentLocation } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import type { Rule, Walk } from "./rule.ts";

export function checkExamples(value: JsonRecord, location: DocumentLocation, { diagnostics }: Walk): void {
  if (value.example !== undefined && value.examples !== undefined) {
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "example") },
      '"example" and "examples" are both given; move the example into "examples".',
    );
  }
}

export const validateMediaType: Rule = (value, location, walk) => {
  checkExamples(value, location, walk);
  if (value.schema !== undefined && value.itemSchema !== undefined && walk.version !== "3.2") {
    walk.diagnostics.warn(location, '"itemSchema" came with OpenAPI 3.2.');
  }
};

export const validateExamples: Rule = (value, location, { diagnostics }) => {
  if (value.value !== undefined && value.externalValue !== undefined) {
    diagnostics.error(location, 'An example has "value" or "externalValue", not both.');
  }
  if (value.value !== undefined && (value.dataValue !== undefined || value.serializedValue !== undefined)) {
    diagnostics.error(location, 'An example has "value", or "dataValue" and "serializedValue", not both.');
  }
};

export const validateLink: Rule = (value, location, { diagnostics }) => {
  if (value.operationRef !== undefined && value.operationId !== undefined) {
    diagnostics.error(location, 'A link has "operationRef" or "operationId", not both.');
  } else if (value.operationRef === undefined && value.operationId === undefined) {
    diagnostics.error(location, 'A link needs "operationId" or "operationRef" to say where it leads.');
  }
};

export const validateXml: Rule = (value, location, { diagnostics }) => {
  if (value.nodeType === undefined) return;
  for (const older of ["attribute", "wrapped"]) {
    if (value[older] === undefined) continue;
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, older) },
      `"${older}" can't be used together with "nodeType", which replaces it: remove "${older}".`,
    );
  }
};
