import type { JsonRecord } from "../../../kit/json/json-value.ts";
import type { Place } from "../findings.ts";
import { childPointer } from "../references/pointer.ts";
import type { Rule, Walk } from "./rule.ts";

export function examineExamplesOf(value: JsonRecord, place: Place, { findings }: Walk): void {
  if (value.example !== undefined && value.examples !== undefined) {
    findings.error(
      { ...place, pointer: childPointer(place.pointer, "example") },
      '"example" and "examples" are both given; move the example into "examples".',
    );
  }
}

export const examineMediaType: Rule = (value, place, walk) => {
  examineExamplesOf(value, place, walk);
  if (value.schema !== undefined && value.itemSchema !== undefined && walk.version !== "3.2") {
    walk.findings.warn(place, '"itemSchema" came with OpenAPI 3.2.');
  }
};

export const examineExamples: Rule = (value, place, { findings }) => {
  if (value.value !== undefined && value.externalValue !== undefined) {
    findings.error(place, 'An example has "value" or "externalValue", not both.');
  }
  if (value.value !== undefined && (value.dataValue !== undefined || value.serializedValue !== undefined)) {
    findings.error(place, 'An example has "value", or "dataValue" and "serializedValue", not both.');
  }
};

export const examineLink: Rule = (value, place, { findings }) => {
  if (value.operationRef !== undefined && value.operationId !== undefined) {
    findings.error(place, 'A link has "operationRef" or "operationId", not both.');
  } else if (value.operationRef === undefined && value.operationId === undefined) {
    findings.error(place, 'A link needs "operationId" or "operationRef" to say where it leads.');
  }
};
