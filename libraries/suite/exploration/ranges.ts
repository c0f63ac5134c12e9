import type { JsonRecord } from "#libraries/json/json-value.ts";

/** Of whole numbers that servers store as 32 bits, where the document gives no bound and no format. */
const largest = { int32: 2_147_483_647, int64: Number.MAX_SAFE_INTEGER, free: 1_000_000 };

/** Inclusive bounds of a number, and of what it is a multiple. */
export interface NumberRange {
  minimum: number;
  maximum: number;
  /** 1 for whole numbers; undefined for any. */
  step: number | undefined;
}

export function numberRange(schema: JsonRecord): NumberRange {
  const { type, format, multipleOf } = schema;
  const isWhole = type === "integer" || (Array.isArray(type) && type.includes("integer"));
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : isWhole ? 1 : undefined;
  const bound = format === "int32" || format === "int64" ? largest[format] : largest.free;
  const least = step ?? 0.01;
  return {
    minimum: bounded("minimum", "exclusiveMinimum", least) ?? -bound,
    maximum: bounded("maximum", "exclusiveMaximum", -least) ?? bound,
    step,
  };

  /** 3.1 writes an exclusive bound as a number, 3.0 as a mark beside the bound. */
  function bounded(inclusive: string, exclusive: string, inside: number): number | undefined {
    const [own, beyond] = [schema[inclusive], schema[exclusive]];
    if (typeof beyond === "number") return beyond + inside;
    if (typeof own !== "number") return undefined;
    return beyond === true ? own + inside : own;
  }
}

/** Characters of a text. */
export function textRange({ minLength, maxLength }: JsonRecord): { minimum: number; maximum: number } {
  return {
    minimum: typeof minLength === "number" ? minLength : 0,
    maximum: typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY,
  };
}
