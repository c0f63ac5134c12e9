import { expect, test } from "vitest";
import { addJsonTexts, writeJsonTexts } from "./json-texts.ts";

const rule = { beside: "comparison", members: ["target", "actual"] };

test("a member with numbers that would be lost gets its text, and is written with every digit again", () => {
  const written = '{"items":[{"comparison":"equals","target":{"a":[9007199254740993,1.0]}}],"timeout":1.0}';
  const carried = addJsonTexts(written, rule);
  const document = JSON.parse(carried);
  expect(document).toEqual({
    items: [{ comparison: "equals", target: { a: [9007199254740992, 1] }, targetJson: '{"a":[9007199254740993,1.0]}' }],
    timeout: 1,
  });
  expect(writeJsonTexts(document, rule)).toBe(
    '{"items":[{"comparison":"equals","target":{"a":[9007199254740993,1.0]},"targetJson":"{\\"a\\":[9007199254740993,1.0]}"}],"timeout":1}',
  );
});

test("a text that is made from the member replaces one that was given, in any order", () => {
  for (const text of [
    '{"targetJson":"2","target":1.0,"comparison":"equals"}',
    '{"comparison":"equals","target":1.0,"targetJson":"2"}',
  ]) {
    expect(JSON.parse(addJsonTexts(text, rule))).toEqual({ comparison: "equals", target: 1, targetJson: "1.0" });
  }
});

test("other members, and members within these, are as JSON.parse reads them", () => {
  for (const text of [
    '{"target":1.0}',
    '{"comparison":"equals","target":{"comparison":"equals","target":1}}',
    '{"properties":{"target":{"minimum":1.0}}}',
    "{",
    "[".repeat(1_000),
  ]) {
    const carried = addJsonTexts(text, rule);
    if (text.includes('"')) expect(JSON.parse(carried)).toEqual(JSON.parse(text));
    else expect(carried).toBe(text);
  }
  const data = { comparison: "equals", target: { target: 1, targetJson: "2.0", comparison: "x" } };
  expect(writeJsonTexts(data, rule)).toBe(JSON.stringify(data));
});
