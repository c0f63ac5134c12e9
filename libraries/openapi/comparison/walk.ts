import type { Direction } from "../sample/sample-source.ts";
import type { FlatSchema } from "./flat-schema.ts";
import type { Effect, Rule, SchemaWord } from "./rules.ts";

/** How a schema of one version is to one of the other, in one direction. */
export interface Relation {
  isSame: boolean;
  isBreaking: boolean;
  /** An open object describes another member: no break, but values of that name are limited. */
  hasNewMember: boolean;
  hasOtherTexts: boolean;
}

/** The comparison of one value's schemas, as its parts see it. */
export interface Walk {
  readonly direction: Direction;
  readonly isRequest: boolean;
  readonly isXml: boolean;
  hasOtherTexts: boolean;
  /**
   * Compares, later, schemas that all apply to a value.
   * @param called names it in a sentence: `"name" of the request body`
   */
  visit(before: readonly unknown[], after: readonly unknown[], called: string): void;
  visitFlat(before: FlatSchema, after: FlatSchema, called: string): void;
  flattenBefore(parts: readonly unknown[]): FlatSchema;
  flattenAfter(parts: readonly unknown[]): FlatSchema;
  relate(before: FlatSchema, after: FlatSchema, direction?: Direction): Relation;
  /** What a change does to the values, in either direction; undefined if nothing. */
  getEffect(before: FlatSchema, after: FlatSchema): Effect | undefined;
  report(word: SchemaWord, effect: Effect, sentence: string): void;
  add(rule: Rule, sentence: string): void;
}
