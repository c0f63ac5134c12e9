import { expect, test } from "vitest";
import { compilePattern, UnsupportedPattern } from "./pattern.ts";

test("O08: a pattern that makes backtracking engines hang is evaluated", () => {
  expect(compilePattern("^(a+)+$").test(`${"a".repeat(100_000)}b`)).toBe(false);
});

test.each([
  ["(?<=a)b", "lookbehind is not supported"],
  ["(?<!a)b", "lookbehind is not supported"],
  ["(?=a)b", "lookahead is not supported"],
  ["(?!a)b", "lookahead is not supported"],
  ["(a)\\1", "backreferences are not supported"],
  ["(", "missing closing )"],
  ["(a{1000}){1000}", "invalid repeat count"],
  ["a{1000}{1000}", "invalid nested repetition operator"],
  ["a".repeat(1_000_000), "at most 1000 are taken"],
  ["(a{900}){1}(b{900})(c{900})(d{900})(e{900})(f{900})", "too large"],
])("O08: %.30s is an unsupported pattern, explained in words", (source, reason) => {
  expect(() => compilePattern(source)).toThrow(UnsupportedPattern);
  expect(() => compilePattern(source)).toThrow(reason);
});

test("ECMA-262 syntax that RE2 writes differently is accepted", () => {
  expect(compilePattern("^\\/\\u0041(?<year>\\d{4})$").test("/A2026")).toBe(true);
});

test("test matches a part, testWhole requires all", () => {
  expect(compilePattern("b|bc").test("abc")).toBe(true);
  expect(compilePattern("a|b").testWhole("ab")).toBe(false);
});
