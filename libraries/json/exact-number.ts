/**
 * A JSON number whose text JavaScript would not write back: `1.0`, `1e5`, `9007199254740993`, `1e999999`. It keeps its
 * text, and is compared as the decimal that the text means. All other numbers of a document are plain `number`.
 */
export class ExactNumber {
  /** Private, so that code walking the value sees no members in place of a number. */
  readonly #text: string;
  #decimal: Decimal | undefined;

  /** @param text a number of RFC 8259 */
  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  get decimal(): Decimal {
    this.#decimal ??= decimalFromText(this.#text);
    return this.#decimal;
  }

  toString(): string {
    return this.#text;
  }

  /** For code that does not know this class: `JSON.stringify` writes the nearest double. `writeJson` writes the text. */
  toJSON(): number {
    return Number(this.#text);
  }
}

export type JsonNumber = number | ExactNumber;

/** `0.digits` times ten to the power of `exponent`; no digits for zero. The digits neither begin nor end with 0. */
interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: bigint;
}

const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The power of ten is never written out: `1e999999999` costs as little as `1e9`. */
function decimalFromText(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = numberParts.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  return {
    isNegative: sign === "-" && start < end,
    digits: digits.slice(start, end),
    exponent: start < end ? BigInt(exponent) + BigInt(whole.length - start) : 0n,
  };
}

function decimalFrom(value: JsonNumber): Decimal {
  return typeof value === "number" ? decimalFromText(String(value)) : value.decimal;
}

/** The number of a JSON text: a plain one if JavaScript writes it back as the same text. */
export function numberFromText(text: string): JsonNumber {
  const value = Number(text);
  return String(value) === text ? value : new ExactNumber(text);
}

/** Negative, 0 or positive like a sort comparator; exact for numbers of any size and precision. */
export function compareNumbers(left: JsonNumber, right: JsonNumber): number {
  // Different doubles are written as different decimals in the same order.
  if (typeof left === "number" && typeof right === "number") return left - right || 0;
  const one = decimalFrom(left);
  const other = decimalFrom(right);
  if (one.isNegative !== other.isNegative) return one.isNegative ? -1 : 1;
  const order = compareMagnitudes(one, other);
  return one.isNegative ? -order || 0 : order;
}

function compareMagnitudes(left: Decimal, right: Decimal): number {
  if (left.digits === "" || right.digits === "") return left.digits.length - right.digits.length;
  if (left.exponent !== right.exponent) return left.exponent < right.exponent ? -1 : 1;
  return left.digits === right.digits ? 0 : left.digits < right.digits ? -1 : 1;
}

/** One text for all numbers that are equal. */
export function canonicalNumber(value: JsonNumber): string {
  if (typeof value === "number") return String(value);
  const double = Number(value.text);
  if (Number.isFinite(double) && compareNumbers(double, value) === 0) return String(double);
  const { isNegative, digits, exponent } = value.decimal;
  return `${isNegative ? "-" : ""}0.${digits}e${exponent}`;
}

/** Whether it has no fraction: `1.0` and `1e5` have none. */
export function isWhole(value: JsonNumber): boolean {
  if (typeof value === "number") return Number.isInteger(value);
  const { digits, exponent } = value.decimal;
  return exponent >= BigInt(digits.length);
}

/** Whether a number is a whole multiple of another, other than 0, in decimals: 19.99 is one of 0.01. */
export function isMultipleOf(value: JsonNumber, divisor: JsonNumber): boolean {
  const one = decimalFrom(value);
  const other = decimalFrom(divisor);
  if (one.digits === "") return true;
  const shift = one.exponent - BigInt(one.digits.length) - (other.exponent - BigInt(other.digits.length));
  // The digits don't end with 0, so no power of ten divides them.
  if (shift < 0n) return false;
  const modulus = BigInt(other.digits);
  return (BigInt(one.digits) * powerOfTen(shift, modulus)) % modulus === 0n;
}

function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let power = 1n % modulus;
  for (const bit of exponent.toString(2)) {
    power = (power * power) % modulus;
    if (bit === "1") power = (power * 10n) % modulus;
  }
  return power;
}
