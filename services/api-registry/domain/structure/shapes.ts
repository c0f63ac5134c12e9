import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";

/** Expected form of a value of the document. */
export type Shape =
  | { is: "text"; format?: "url" | "email"; oneOf?: readonly string[] }
  | { is: "boolean" }
  | { is: "number" }
  | { is: "anything" }
  | { is: "schema" }
  | { is: "list"; of: Shape; least?: number }
  | { is: "map"; of: Shape; names?: RegExp; namesAdvice?: string }
  | { is: "object"; kind: string };

export interface Field {
  shape: Shape;
  required: boolean;
}

export interface ObjectKind {
  /** E.g. "a response". */
  called: string;
  fields: Map<string, Field>;
  /** Keys other than fixed fields: paths, status codes, expressions. */
  others: { shape: Shape; names: RegExp; advice: string } | undefined;
  mayBeReference: boolean;
  takesExtensions: boolean;
}

export type Grammar = Map<string, ObjectKind>;

export const text: Shape = { is: "text" };
export const url: Shape = { is: "text", format: "url" };
export const email: Shape = { is: "text", format: "email" };
export const truth: Shape = { is: "boolean" };
export const anything: Shape = { is: "anything" };
export const schema: Shape = { is: "schema" };

export function words(...oneOf: string[]): Shape {
  return { is: "text", oneOf };
}

export function listShape(of: Shape, least?: number): Shape {
  return { is: "list", of, ...(least === undefined ? {} : { least }) };
}

export function mapShape(of: Shape, names?: RegExp, namesAdvice?: string): Shape {
  return { is: "map", of, ...(names ? { names, namesAdvice: namesAdvice ?? "" } : {}) };
}

export function object(kind: string): Shape {
  return { is: "object", kind };
}

/**
 * Fields written `name`, or `name!` when required. A shape may be limited to versions: `{ "3.1": shape }` means from
 * 3.1 on.
 */
export interface KindDefinition {
  called: string;
  fields: Record<string, Shape | { since: SpecificationVersion; shape: Shape }>;
  others?: { shape: Shape; names: RegExp; advice: string };
  mayBeReference?: boolean;
  takesExtensions?: boolean;
}

export function createGrammar(definitions: Record<string, KindDefinition>, version: SpecificationVersion): Grammar {
  const grammar: Grammar = new Map();
  for (const [name, { called, fields, others, mayBeReference, takesExtensions }] of Object.entries(definitions)) {
    const fieldsByName = new Map<string, Field>();
    for (const [written, limited] of Object.entries(fields)) {
      const since = "since" in limited ? limited.since : "2.0";
      if (since > version) continue;
      const required = written.endsWith("!");
      const shape = "since" in limited ? limited.shape : limited;
      fieldsByName.set(required ? written.slice(0, -1) : written, { shape, required });
    }
    grammar.set(name, {
      called,
      fields: fieldsByName,
      others,
      mayBeReference: mayBeReference ?? false,
      takesExtensions: takesExtensions ?? true,
    });
  }
  return grammar;
}
