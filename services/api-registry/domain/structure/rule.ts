import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { Diagnostics, DocumentLocation } from "../diagnostics.ts";
import type { Shape } from "./shapes.ts";

/** Access of a rule to the walk over a document. */
export interface Walk {
  readonly version: SpecificationVersion;
  readonly diagnostics: Diagnostics;
  validate(value: unknown, shape: Shape, location: DocumentLocation): void;
  noteReference(reference: string, shape: Shape, location: DocumentLocation): void;
}

/** A rule of the standard beyond the fields of an object. */
export type Rule = (value: JsonRecord, location: DocumentLocation, walk: Walk) => void;
