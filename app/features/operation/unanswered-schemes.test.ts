import { expect, test } from "vitest";
import { getUnmetSchemes } from "./unanswered-schemes.ts";

test.each<[string[][], string[], string[]]>([
  [[], [], []],
  [[[]], [], []],
  [[["key"]], [], ["key"]],
  [[["key"]], ["key"], []],
  [[["key", "device"]], ["key"], ["device"]],
  [[["key"], ["login"]], ["login"], []],
  [
    [
      ["key", "device"],
      ["key", "login"],
    ],
    ["key"],
    ["device", "login"],
  ],
  [[["key"], []], [], []],
])("of %j, with configs for %j, %j lacks a config", (security, answered, expected) => {
  expect(getUnmetSchemes(security, new Set(answered))).toEqual(expected);
});
