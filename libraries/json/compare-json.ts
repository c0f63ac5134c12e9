import { getJsonType, isJsonObject, type Json, OutsizeNumber } from "./json.ts";

/** At least one of two numbers lost digits before it was received; `message` is a sentence for users. */
export class IncomparableNumbers extends Error {
  override readonly name = "IncomparableNumbers";
}

type JsonNumber = number | bigint | OutsizeNumber;

export function isJsonNumber(value: Json): value is JsonNumber {
  return getJsonType(value) === "number";
}

/** Distance between neighbouring doubles of this magnitude, as an integer; only for |value| ≥ 2^53. */
function spacing(value: number): bigint {
  return 2n ** BigInt(Math.floor(Math.log2(Math.abs(value))) - 52);
}

/**
 * Negative, 0 or positive like a sort comparator. Integers of any size are compared exactly. A double beyond 2^53
 * represents every integer that rounds to it, so comparing it with one of those has no result.
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
 * JSON equality by type: `"12"` is not 12, `1` equals `1.0`, member order is ignored. Recursive, so callers limit
 * depth when they parse.
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
