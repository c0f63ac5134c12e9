import { isJsonObject, type Json, OutsizeNumber, typeOfJson } from "./json.ts";

/** Two numbers of which at least one lost digits before it came here; `message` is a sentence for a person. */
export class IncomparableNumbers extends Error {
  override readonly name = "IncomparableNumbers";
}

type JsonNumber = number | bigint | OutsizeNumber;

export function isJsonNumber(value: Json): value is JsonNumber {
  return typeOfJson(value) === "number";
}

/** Distance between neighbouring doubles of this size, as an integer; only for |value| ≥ 2^53. */
function spacing(value: number): bigint {
  return 2n ** BigInt(Math.floor(Math.log2(Math.abs(value))) - 52);
}

/**
 * Negative, 0 or positive like a sort's comparator. Integers are compared exactly whatever their size. A double beyond
 * 2^53 stands for every integer that rounds to it, so against a neighbour of those there is no answer.
 * @throws IncomparableNumbers
 */
export function compareNumbers(left: JsonNumber, right: JsonNumber): number {
  if (typeof left === "number" && typeof right === "number") return left - right || 0;
  if (left instanceof OutsizeNumber || right instanceof OutsizeNumber) {
    const outsize = left instanceof OutsizeNumber ? left : (right as OutsizeNumber);
    throw new IncomparableNumbers(`The number ${outsize.text.slice(0, 40)} is outside of what can be compared.`);
  }
  const rounded = typeof left === "number" ? left : typeof right === "number" ? right : undefined;
  if (rounded !== undefined && Number.isInteger(rounded) && !Number.isSafeInteger(rounded)) {
    const exact = (typeof left === "bigint" ? left : right) as bigint;
    const distance = exact - BigInt(rounded);
    if ((distance < 0n ? -distance : distance) < spacing(rounded)) {
      throw new IncomparableNumbers(
        `${exact} is beyond 2^53: the number it is compared with lost its last digits on the way here, so the two cannot be compared exactly.`,
      );
    }
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Equality of JSON by type: `"12"` is not 12, `1` is `1.0`, members have no order.
 * Recurses, so callers limit depth when they parse.
 */
export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isJsonNumber(left) && isJsonNumber(right)) return compareNumbers(left, right) === 0;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equalJson(item, right[index] as Json))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name] as Json, right[name] as Json))
  );
}
