import type { JsonRecord } from "../../json/json-value.ts";

interface Range {
  low: number;
  high: number;
}

/** The closed range of a number schema; exclusive bounds of both dialects are moved inwards by one step. */
function toRange(schema: JsonRecord, step: number): Range {
  let low = typeof schema.minimum === "number" ? schema.minimum : Number.NEGATIVE_INFINITY;
  let high = typeof schema.maximum === "number" ? schema.maximum : Number.POSITIVE_INFINITY;
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  if (exclusiveMinimum === true) low = stepInside(low, step);
  if (typeof exclusiveMinimum === "number") low = Math.max(low, stepInside(exclusiveMinimum, step));
  if (exclusiveMaximum === true) high = stepInside(high, -step);
  if (typeof exclusiveMaximum === "number") high = Math.min(high, stepInside(exclusiveMaximum, -step));
  return { low, high };
}

function stepInside(bound: number, step: number): number {
  const inside = bound + step;
  return inside === bound ? bound * (1 + Math.sign(step * bound) * Number.EPSILON) : inside;
}

/** A number that the schema allows; `undefined` when its bounds leave none that is easily found. */
export function sampleNumber(schema: JsonRecord, isInteger: boolean): number | undefined {
  const multiple = typeof schema.multipleOf === "number" && schema.multipleOf > 0 ? schema.multipleOf : undefined;
  const coarse = toRange(schema, 1);
  const { low, high } = isInteger || coarse.low <= coarse.high ? coarse : toRange(schema, 1e-6);
  const candidates = [1, 0, low, high, Math.ceil(low), Math.floor(high), (low + high) / 2];
  if (multiple !== undefined) {
    const factor = Number.isFinite(low) ? Math.ceil(low / multiple) : Math.min(1, Math.floor(high / multiple));
    candidates.unshift(
      multiple,
      clean(factor * multiple),
      clean((factor + 1) * multiple),
      clean((factor - 1) * multiple),
    );
  }
  return candidates.find(
    (value) =>
      Number.isFinite(value) &&
      value >= low &&
      value <= high &&
      (!isInteger || Number.isInteger(value)) &&
      (multiple === undefined || Number.isInteger(value / multiple)),
  );
}

/** 3 × 0.1 is not 0.3 in binary; rounds to fifteen digits. */
function clean(value: number): number {
  return Number(value.toPrecision(15));
}
