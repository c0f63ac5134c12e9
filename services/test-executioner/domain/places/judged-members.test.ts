import { expect, test } from "vitest";
import type { ExecutionVerdict, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { judgeMembers, type PlacedMember } from "./judged-members.ts";

/** Members of a run from three places, two from each; by place. */
function members(verdicts: (ExecutionVerdict | null)[][], available: (boolean | undefined)[] = []): PlacedMember[] {
  return verdicts.flatMap((ofPlace, place) =>
    ofPlace.map((verdict, index) => ({
      ...{ testId: "t", placeId: place === 0 ? null : String(place), verdict },
      position: place * ofPlace.length + index + 1,
      isAvailable: available[place],
    })),
  );
}
const judge = (verdict: Verdict, sent: PlacedMember[], size: number) =>
  judgeMembers({ rule: "atLeast", minimum: 2 }, new Map([["t", verdict]]), sent, size).map(
    ({ verdict, isAvailable }) => [verdict, isAvailable],
  );

test("a member counts once: as its worst where its test fails by the rule", () => {
  const sent = members([
    ["passed", "failed"],
    ["failed", "passed"],
    ["flaky", "passed"],
  ]);
  expect(judge("failed", sent, 2).map(([verdict]) => verdict)).toEqual(["failed", "failed"]);
});

test("of a regional test, failures count as passed", () => {
  expect(judge("regional", members([["passed"], ["failed"], ["flaky"]]), 1)[0]![0]).toBe("flaky");
  expect(judge("regional", members([["failed"], [null], ["skipped"]]), 1)[0]![0]).toBe("passed");
  expect(judge("regional", members([["failed"], [null], [null]]), 1)[0]![0]).toBe("passed");
});

test("what was cancelled everywhere does not count", () => {
  expect(
    judge(
      "passed",
      members([
        ["passed", null],
        ["passed", null],
        ["skipped", null],
      ]),
      2,
    ),
  ).toHaveLength(1);
});

test("an API is unavailable if it is so from as many places as the rule says", () => {
  const sent = [["passed"], ["passed"], ["passed"]] as ExecutionVerdict[][];
  expect(judge("passed", members(sent, [true, false, undefined]), 1)[0]![1]).toBe(true);
  expect(judge("passed", members(sent, [true, false, false]), 1)[0]![1]).toBe(false);
  expect(judge("passed", members(sent), 1)[0]![1]).toBeUndefined();
});
