import { expect, test } from "vitest";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";
import { recoveryWords } from "./recovery-words";

const now = "2026-03-10T21:18:00.000Z";
const recovery = {
  ...{ at: "2026-03-10T21:16:30.000Z", runId: "r", apiId: "a", byHand: true },
  ...{ resolves: "next_run" as const, nextRunAt: "2026-03-10T21:20:00.000Z" },
};
const words = (changes: object = {}) => recoveryWords({ ...recovery, ...changes }, now, formatMoment);

test("a pass that does not resolve says when it was and what does", () => {
  expect(words()).toBe("Passed manually at 21:16 UTC; resolves with the next scheduled run (21:20 UTC).");
  expect(words({ byHand: false, nextRunAt: null })).toBe(
    "Passed in another run at 21:16 UTC; resolves with the next run where it failed.",
  );
  expect(words({ resolves: "steady" })).toMatch(/resolves after five passing results in a row\.$/);
});

test("another day's date is given", () => {
  expect(words({ at: "2026-03-09T21:16:30.000Z", nextRunAt: "2026-03-11T07:00:00.000Z" })).toBe(
    "Passed manually at 9 Mar 2026, 21:16 UTC; resolves with the next scheduled run (11 Mar 2026, 07:00 UTC).",
  );
});
