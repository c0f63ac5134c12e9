import { expect, test } from "vitest";
import { compareNumbers, equalJson, IncomparableNumbers } from "./compare-json.ts";
import { OutsizeNumber } from "./json.ts";
import { numberFromText, parseJson, UnreadableJson } from "./parse-json.ts";

test("H10: integers beyond 2^53 keep every digit", () => {
  expect(parseJson('{"id":9007199254740993,"list":[-12345678901234567890]}')).toEqual({
    id: 9007199254740993n,
    list: [-12345678901234567890n],
  });
});

test.each([
  ["9007199254740991", 9007199254740991],
  ["1e400", 10n ** 400n],
  ["1.5e400", 15n * 10n ** 399n],
  ["12345678901234567890.0", 12345678901234567890n],
  ["0.1", 0.1],
  ["-0", -0],
  ["1e-400", new OutsizeNumber("1e-400")],
  ["1e100000", new OutsizeNumber("1e100000")],
  ["12345678901234567.5", Number("12345678901234567.5")],
])("the number %s is represented exactly or stored as written", (text, value) => {
  const plain = (number: unknown) => (number instanceof OutsizeNumber ? `as written: ${number.text}` : number);
  expect(plain(numberFromText(text))).toEqual(plain(value));
});

test("exact parsing returns the result of JSON.parse, strings with digits and escapes included", () => {
  const text = '{"a\\"1234567890123456":["\\u0041\\\\","9999999999999999999",true,false,null,{"b":{}},[],1.5e3]}';
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test("H10: __proto__ is a member like any other", () => {
  const value = parseJson('{"__proto__":{"polluted":1},"n":12345678901234567890}') as Record<string, unknown>;
  expect(Object.hasOwn(value, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("H10: of duplicate names the last one counts", () => {
  expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parseJson('{"a":12345678901234567890,"a":12345678901234567891}')).toEqual({ a: 12345678901234567891n });
});

test("H10: JSON nested 100,000 levels deep is refused", () => {
  expect(() => parseJson("[".repeat(100_000) + "]".repeat(100_000))).toThrow(UnreadableJson);
});

test("text that is not JSON is refused with the reason", () => {
  expect(() => parseJson("<html>")).toThrow(/not JSON/);
  expect(() => parseJson("  ")).toThrow("The body is empty.");
});

test("H10: a big integer is compared exactly with a smaller one", () => {
  expect(compareNumbers(9007199254740993n, 5)).toBeGreaterThan(0);
  expect(compareNumbers(5, 9007199254740993n)).toBeLessThan(0);
  expect(compareNumbers(9007199254740993n, 9007199254740992n)).toBeGreaterThan(0);
  expect(compareNumbers(10n ** 400n, 1e20)).toBeGreaterThan(0);
});

test("H10: a big integer and a number that lost its last digits cannot be compared", () => {
  expect(() => compareNumbers(9007199254740993n, 2 ** 53)).toThrow(IncomparableNumbers);
  expect(() => equalJson([10n ** 400n], [new OutsizeNumber("1e100000")])).toThrow(IncomparableNumbers);
});

test("JSON is equal by type and value, never by text", () => {
  expect(equalJson("12", 12)).toBe(false);
  expect(equalJson(null, false)).toBe(false);
  expect(equalJson({}, [])).toBe(false);
  expect(equalJson({ a: 1, b: [null] }, { b: [null], a: 1.0 })).toBe(true);
  expect(equalJson({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(equalJson(JSON.parse('{"toString":1}'), {})).toBe(false);
});
