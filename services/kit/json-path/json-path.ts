import type { Json } from "../json/json.ts";

/** A query of RFC 9535, parsed and known to be well-typed. */
export interface JsonPath {
  text: string;
  query: Query;
  /** Selects at most one node whatever the document: names and indexes only. */
  singular: boolean;
}

export interface Query {
  from: "root" | "current";
  segments: Segment[];
}

export interface Segment {
  descendants: boolean;
  selectors: Selector[];
}

export type Selector =
  | { kind: "name"; name: string }
  | { kind: "wildcard" }
  | { kind: "index"; index: number }
  | { kind: "slice"; start?: number; end?: number; step: number }
  | { kind: "filter"; condition: Condition };

export type ComparisonSign = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Condition =
  | { kind: "or" | "and"; conditions: Condition[] }
  | { kind: "not"; condition: Condition }
  | { kind: "comparison"; left: Operand; sign: ComparisonSign; right: Operand }
  | { kind: "exists"; query: Query }
  | { kind: "test"; call: Call };

export type Operand = { kind: "literal"; value: Json } | { kind: "query"; query: Query } | { kind: "call"; call: Call };

export interface Call {
  name: FunctionName;
  arguments: Operand[];
}

export type FunctionName = "length" | "count" | "value" | "match" | "search";

/** Types of RFC 9535, 2.4.1. */
export type FunctionType = "value" | "logical" | "nodes";

export const functionSignatures: Record<FunctionName, { takes: FunctionType[]; gives: FunctionType }> = {
  length: { takes: ["value"], gives: "value" },
  count: { takes: ["nodes"], gives: "value" },
  value: { takes: ["nodes"], gives: "value" },
  match: { takes: ["value", "value"], gives: "logical" },
  search: { takes: ["value", "value"], gives: "logical" },
};

export function isSingular(query: Query): boolean {
  return query.segments.every(
    ({ descendants, selectors }) =>
      !descendants && selectors.length === 1 && (selectors[0]?.kind === "name" || selectors[0]?.kind === "index"),
  );
}

/** The query is not one of RFC 9535; `message` is a sentence that says where. */
export class InvalidJsonPath extends Error {
  override readonly name = "InvalidJsonPath";
  constructor(
    reason: string,
    /** Characters before the place, from 0. */
    readonly position: number,
  ) {
    super(`Not a JSONPath: ${reason} (character ${position + 1}).`);
  }
}
