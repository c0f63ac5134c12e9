import { expect, test } from "vitest";
import type { MissedChange, TestNotices } from "#contracts/test-executioner/notices.ts";
import { assertionTitle, groupMisses, noticedShare, noticesSentence } from "./notices-words.ts";

const miss = (phrase: string, target?: string): MissedChange => ({
  ...{ key: `missing:/${phrase}`, kind: "missing", phrase },
  ...(target ? { assertion: { source: "jsonPath", property: "$.id", comparison: "hasType", target } } : {}),
});
const notices = (missedChanges: MissedChange[]) =>
  ({ changes: 11, noticed: 9, missedChanges }) as unknown as TestNotices;

test("the sentence names three of the missed changes and counts the others", () => {
  expect(noticesSentence(notices([miss("an empty list"), miss("another currency")]))).toBe(
    "Catches 9 of 11 changes; would miss: an empty list, another currency",
  );
  expect(noticesSentence(notices(["a", "b", "c", "d", "e"].map((phrase) => miss(phrase))))).toBe(
    "Catches 9 of 11 changes; would miss: a, b, c and 2 more",
  );
  expect(noticesSentence(notices([]))).toBe("Catches all 11 changes");
});

test("misses with the same assertion are one group, those without any each their own", () => {
  const groups = groupMisses([miss("id missing", "number"), miss("x"), miss("null for id", "number"), miss("y")]);
  expect(groups.map(({ phrases }) => phrases)).toEqual([["id missing", "null for id"], ["x"], ["y"]]);
});

test("an assertion is named as in the test editor, with its whole number", () => {
  expect(assertionTitle({ source: "jsonPath", property: "$.id", comparison: "hasType", target: "number" })).toBe(
    'JSONPath $.id has the type "number"',
  );
  const exact = { target: 9007199254740992, targetJson: "9007199254740993" };
  expect(assertionTitle({ source: "jsonPath", property: "$.id", comparison: "equals", ...exact })).toBe(
    "JSONPath $.id equals 9007199254740993",
  );
});

test("a share is never rounded up to all", () => {
  expect(noticedShare({ changes: 1_000, noticed: 999 })).toBe("99");
  expect(noticedShare({ changes: 0, noticed: 0 })).toBe("–");
});
