import { expect, test } from "vitest";
import { getTypeName } from "./capture-table";

test.each([
  ["json", "1042", "Number"],
  ["json", "-1.0", "Number"],
  ["string", "1042", "Text"],
  ["json", "true", "Boolean"],
  ["json", "null", "Null"],
  ["json", '{"a":1}', "Object"],
  ["json", "[]", "List"],
  ["json", '"\\u0000"', "Text"],
  [null, "1042", "Text, untyped"],
] as const)("a captured %s %s is named %s", (type, value, name) => {
  expect(getTypeName({ type, value, secret: false })).toBe(name);
});

test("of a secret only that it is JSON is known", () => {
  expect(getTypeName({ type: "json", value: null, secret: true })).toBe("JSON");
});
