import fc from "fast-check";
import { expect, test } from "vitest";
import { moneyText, parseMoney, toDecimal } from "./money.ts";

test("amounts are parsed and formatted with the digits of their currency", () => {
  expect(parseMoney("49.00", "USD")).toEqual({ minorUnits: 4_900, currency: "USD" });
  expect(parseMoney("49", "USD").minorUnits).toBe(4_900);
  expect(parseMoney("0.5", "EUR").minorUnits).toBe(50);
  expect(parseMoney("500", "JPY").minorUnits).toBe(500);
  expect(parseMoney("1.250", "KWD").minorUnits).toBe(1_250);
  expect(parseMoney("-3.10", "USD").minorUnits).toBe(-310);
  expect(toDecimal({ minorUnits: 5, currency: "USD" })).toBe("0.05");
  expect(toDecimal({ minorUnits: 500, currency: "JPY" })).toBe("500");
});

test("each currency keeps its own sign and digits, whatever the order of use", () => {
  const displayed = ["USD", "JPY", "KWD", "USD"].map((currency) => moneyText({ minorUnits: 1_250, currency }));
  expect(displayed.map((text) => text.replace("\u00a0", " "))).toEqual(["$12.50", "¥1,250", "KWD 1.250", "$12.50"]);
  for (const _ of [1, 2]) expect(() => parseMoney("1.00", "no currency")).toThrow(RangeError);
});

test("an invalid amount of a currency is refused, never rounded", () => {
  for (const text of ["1.005", "", "1,00", "1e3", " 1", "--1", "99999999999999999"])
    expect(() => parseMoney(text, "USD"), text).toThrow(RangeError);
  expect(() => parseMoney("1.5", "JPY")).toThrow(RangeError);
});

test("every amount survives a round trip", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.constantFrom("USD", "EUR", "JPY", "KWD"),
      (minorUnits, currency) => {
        expect(parseMoney(toDecimal({ minorUnits, currency }), currency)).toEqual({
          minorUnits: minorUnits || 0,
          currency,
        });
      },
    ),
  );
});
