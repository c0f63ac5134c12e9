import type { Direction, SampleSource } from "./sample-source.ts";

export type ValuePath = readonly (string | number)[];

/** Where a value does not match its schema. */
export interface SampleFault {
  path: ValuePath;
  /** The keyword or its group; `unknownPattern` for a pattern that RE2 does not support. */
  keyword: string;
}

export type Report = (keyword: string, path?: ValuePath) => void;

/** What the keywords of objects and arrays need to check members and items. */
export interface NestedCheck {
  direction: Direction;
  source: SampleSource;
  report: Report;
  check(value: unknown, schema: unknown, step: string | number): void;
  isValid(value: unknown, schema: unknown): boolean;
}
