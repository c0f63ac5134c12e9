import fc from "fast-check";
import { expect, test } from "vitest";
import { equalJson } from "./compare-json.ts";
import { compareNumbers, ExactNumber, isMultipleOf, isWhole, numberFromText } from "./exact-number.ts";
import type { Json } from "./json.ts";
import { parseJson, UnreadableJson } from "./parse-json.ts";
import { toPlainJson, writeJson } from "./write-json.ts";

const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 25n }),
    fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: undefined }),
    fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${exponent === undefined ? "" : `e${exponent}`}`,
  );

/** A number times 10^600, which makes it whole. */
function scaled(text: string): bigint {
  const [, whole = "", fraction = "", exponent = "0"] = /^(-?\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(text)!;
  return (
    BigInt(whole.replace("-", "") + fraction) *
    10n ** BigInt(600 + Number(exponent) - fraction.length) *
    (text.startsWith("-") ? -1n : 1n)
  );
}

test("every number is written as it was read, wherever it stands", () => {
  fc.assert(
    fc.property(fc.array(numberText), fc.json(), (numbers, other) => {
      for (const text of numbers) expect(writeJson(parseJson(text))).toBe(text);
      const list = `[${numbers.join(", ")}]`;
      expect(writeJson(parseJson(list))).toBe(list.replaceAll(" ", ""));
      const object = `{"a":{"b":${list}},"c":${other}}`;
      expect(toPlainJson((parseJson(object) as { c: Json }).c)).toEqual(JSON.parse(other));
    }),
  );
});

test("numbers are compared as decimals of any size and precision", () => {
  fc.assert(
    fc.property(numberText, numberText, (one, other) => {
      const [left, right] = [scaled(one), scaled(other)];
      expect(Math.sign(compareNumbers(numberFromText(one), numberFromText(other)))).toBe(
        left < right ? -1 : left > right ? 1 : 0,
      );
      if (right !== 0n) expect(isMultipleOf(numberFromText(one), numberFromText(other))).toBe(left % right === 0n);
      expect(isWhole(numberFromText(one))).toBe(left % 10n ** 600n === 0n);
      expect(compareNumbers(numberFromText(one), new ExactNumber(one))).toBe(0);
    }),
  );
});

test.each([
  ["1", "1.0"],
  ["0", "-0"],
  ["100000", "1e5"],
  ["0", "0e999999999"],
  ["1e400", "10E+399"],
  ["9007199254740993", "9007199254740993.000"],
])("%s equals %s", (one, other) => {
  expect(equalJson(parseJson(one), parseJson(other))).toBe(true);
  expect(equalJson({ a: [parseJson(one)] }, { a: [parseJson(other)] })).toBe(true);
});

test.each([
  ["9007199254740992", "9007199254740993"],
  ["2936.233804484341", "2936.23380448434092597"],
  ["1e999999998", "1e999999999"],
  ["-1e999999999", "1e-999999999"],
  ["0", "1e-999999999"],
  ["1e400", "1.0000000000000000001e400"],
])("%s is not %s", (one, other) => {
  expect(equalJson(parseJson(one), parseJson(other))).toBe(false);
});

test("H10: a number of a million digits or with an enormous exponent is compared at once", () => {
  const digits = "9".repeat(1_000_000);
  const numbers = [
    `1e${"9".repeat(1_000)}`,
    `1e-${"9".repeat(1_000)}`,
    digits,
    `0.${digits}`,
    `0.${"0".repeat(1_000_000)}1`,
  ];
  for (const one of numbers)
    for (const other of numbers) {
      expect(equalJson(numberFromText(one), numberFromText(other))).toBe(one === other);
    }
});

test("numbers that JavaScript writes as they came stay plain, and all else is as JSON.parse reads it", () => {
  const text =
    '{"a\\"1234567890123456":["\\u0041\\\\","9999999999999999999",true,false,null,{"b":{}},[],1.5, -7 ,1e+21]}';
  expect(parseJson(text)).toEqual(JSON.parse(text));
  expect(parseJson(text.replace("1.5", "1.50"))).toEqual({
    ...JSON.parse(text),
    'a"1234567890123456': expect.anything(),
  });
  expect(toPlainJson(parseJson(text.replace("1.5", "1.50")))).toEqual(JSON.parse(text));
});

test("H10: __proto__ is a member like any other", () => {
  const value = parseJson('{"__proto__":{"polluted":1},"n":12345678901234567890}') as Record<string, unknown>;
  expect(Object.hasOwn(value, "__proto__")).toBe(true);
  expect(Object.hasOwn(toPlainJson(value as Json) as object, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("H10: of duplicate names the last one counts", () => {
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(writeJson(parseJson('{"a":12345678901234567890,"a":12345678901234567891}'))).toBe(
    '{"a":12345678901234567891}',
  );
});

test("H10: JSON nested 100,000 levels deep is refused", () => {
  expect(() => parseJson("[".repeat(100_000) + "]".repeat(100_000))).toThrow(UnreadableJson);
});

test("text that is not JSON is refused with the reason", () => {
  expect(() => parseJson("<html>")).toThrow(/not JSON/);
  expect(() => parseJson("  ")).toThrow("The body is empty.");
});

test("JSON is equal by type and value, never by text", () => {
  expect(equalJson("12", 12)).toBe(false);
  expect(equalJson(null, false)).toBe(false);
  expect(equalJson({}, [])).toBe(false);
  expect(equalJson({ a: 1, b: [null] }, { b: [null], a: 1.0 })).toBe(true);
  expect(equalJson({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(equalJson(JSON.parse('{"toString":1}'), {})).toBe(false);
});
