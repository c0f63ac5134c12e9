import { expect, test } from "vitest";
import { type Outcome, stripWords } from "./strip-words";

const at = (verdict: Outcome["verdict"], hour: number) => ({ verdict, finishedAt: `2026-03-14T0${hour}:00:00.000Z` });
const words = (...outcomes: Outcome[]) => stripWords(outcomes, "run", "2026-03-14T09:00:00.000Z");

test("a strip says how many passed and when the last one failed, in any input order", () => {
  expect(words(at("passed", 8), at("failed", 7), at("errored", 3), at("flaky", 2))).toBe(
    "2 of 4 runs passed, last failed 2 h ago",
  );
  expect(words(at("errored", 3), at("failed", 7))).toBe("0 of 2 runs passed, last failed 2 h ago");
  expect(words(at("passed", 8))).toBe("1 of 1 run passed");
});

test("skipped and cancelled ones count neither way", () => {
  expect(words(at("passed", 8), at("skipped", 7), at(null, 6))).toBe("1 of 1 run passed");
  expect(words(at(null, 6))).toBe("None of the last runs has a verdict");
});
