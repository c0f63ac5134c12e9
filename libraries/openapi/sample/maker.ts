import type { JsonRecord } from "../../json/json-value.ts";
import type { SampleBudget } from "./sample-budget.ts";
import type { ValuePath } from "./sample-fault.ts";
import type { Direction, SampleSource } from "./sample-source.ts";
import type { ValueChecker } from "./value-checker.ts";

/** No value was found. */
export const none = Symbol("no sample");
export type Sample = unknown | typeof none;

/** A value that the document does not give. */
export interface InventedValue {
  path: ValuePath;
  /** Its schema, with references and `allOf` resolved. */
  schema: JsonRecord;
  /** No valid value was found: a placeholder is used instead. */
  isMissing: boolean;
}

/** A value for a schema, and which parts of it no document gave. */
export interface MadeSample {
  value: unknown;
  invented: InventedValue[];
}

/** What makers of members and items need from the sampler. */
export interface Maker {
  readonly direction: Direction;
  readonly source: SampleSource;
  readonly budget: SampleBudget;
  readonly checker: ValueChecker;
  /** @param step the member's name or the item's index; omitted for another attempt at the same place */
  make(raw: unknown, depth: number, step?: string | number): Sample;
  /** In place of a required text or number that can't be made, where placeholders are accepted. */
  makePlaceholder(raw: unknown, step: string | number): Sample;
  /** Without placeholders: what is optional is left out instead. */
  makeOptional(raw: unknown, depth: number, step: string | number): Sample;
}

export const maxItems = 1_000;
/** Beyond this depth only required members are made. */
export const optionalDepth = 6;
