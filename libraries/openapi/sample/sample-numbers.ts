import { ExactNumber, isMultipleOf, type JsonNumber, numberFromText } from "../../json/exact-number.ts";
import type { JsonRecord } from "../../json/json-value.ts";
import { checkNumber } from "./check-scalar.ts";

const integerFormats: Record<string, [low: number, high: number]> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, Number.POSITIVE_INFINITY],
};

/** A number that the schema allows; `undefined` when its bounds leave none that is easily found. */
export function sampleNumber(schema: JsonRecord, isInteger: boolean): JsonNumber | undefined {
  const multiple = typeof schema.multipleOf === "number" && schema.multipleOf > 0 ? schema.multipleOf : undefined;
  const [low, high] = getBounds(schema);
  const fits = (value: number) => {
    const isInRange = Number.isFinite(value) && value >= low && value <= high;
    return isInRange && (!isInteger || Number.isInteger(value)) && isWithinSchema(value, schema);
  };
  const simple = [1, low, low + 1, high, high - 1, Math.ceil(low), Math.floor(high), low + 1e-6, high - 1e-6];
  const candidates = [...(multiple === undefined ? [] : listMultiples(multiple, low, high, isInteger)), ...simple];
  const found = [...candidates, 0, (low + high) / 2].find(fits);
  return found ?? listIntegersAtBounds(schema).find((value) => isWithinSchema(value, schema));
}

/** The bounds and the integers beside them, where doubles skip integers. */
function listIntegersAtBounds(schema: JsonRecord): JsonNumber[] {
  // A format of 32 bits allows none of them.
  if (Number.isFinite(integerFormats[String(schema.format)]?.[1])) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return [minimum, exclusiveMinimum, maximum, exclusiveMaximum].flatMap((bound) => {
    const text = bound instanceof ExactNumber || typeof bound === "number" ? String(bound) : "";
    if (!/^-?\d{1,400}$/.test(text)) return [];
    return [0n, 1n, -1n].map((step) => numberFromText(String(BigInt(text) + step)));
  });
}

function isWithinSchema(value: JsonNumber, schema: JsonRecord): boolean {
  let isValid = true;
  checkNumber(value, schema, () => {
    isValid = false;
  });
  return isValid;
}

/** The closed range; exclusive bounds are left to the check. */
function getBounds(schema: JsonRecord): [low: number, high: number] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, format } = schema;
  const [least, most] = integerFormats[String(format)] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const numbers = (...values: unknown[]) => values.filter((value): value is number => typeof value === "number");
  return [
    Math.max(least, ...numbers(minimum, exclusiveMinimum)),
    Math.min(most, ...numbers(maximum, exclusiveMaximum)),
  ];
}

function listMultiples(multiple: number, low: number, high: number, isInteger: boolean): number[] {
  const start = Number.isFinite(low) ? Math.ceil(low / multiple) : Math.min(1, Math.floor(high / multiple));
  const factors = [1, start, start + 1, start - 1, start + 2];
  // The integers among the multiples of 0.1 or 2.5 are those of a power of ten, or of twice the step.
  if (isInteger) for (const times of [2, 5, 10, 100, 1_000]) factors.push(times, Math.ceil(start / times) * times);
  return factors.map((factor) => clean(factor * multiple)).filter((value) => isMultipleOf(value, multiple));
}

/** 3 × 0.1 is not 0.3 in binary; rounds to fifteen digits. */
function clean(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(15)) : value;
}
