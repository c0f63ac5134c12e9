import { expect, test } from "vitest";
import { runSummary } from "../../../services/test-executioner/testing/reported-run.ts";
import {
  endInWords,
  failedCount,
  memberName,
  runTitle,
  sourceWords,
  startedByWords,
  starterWords,
  verdictsInWords,
} from "./run-words";

const { counts: none } = runSummary();
const counts = {
  ...none,
  tests: 1_200,
  executions: 1_202,
  passed: 1_190,
  failed: 7,
  errored: 2,
  blocked: 1,
  cancelled: 2,
};
const apiId = "019aa000-0000-7000-8000-00000000000a";

test("the subject of a run follows from its source", () => {
  expect(sourceWords({ kind: "test", testId: apiId, testName: "Get a book" }, none)).toBe("Get a book");
  expect(sourceWords({ kind: "tests", testCount: 3 }, counts)).toBe("3 tests");
  expect(sourceWords({ kind: "api", apiId, include: "all" }, counts)).toBe("All tests (1,200)");
  expect(sourceWords({ kind: "api", apiId, include: "safe" }, none)).toBe("Safe tests (1)");
  expect(sourceWords({ kind: "rerun", runId: apiId }, none)).toBe("1 failed test again");
});

test("a run is named after its test, or by its number of tests", () => {
  expect(runTitle({ source: { kind: "test", testId: apiId, testName: "Get a book" }, counts })).toBe(
    "Run of Get a book",
  );
  expect(runTitle({ source: { kind: "tests", testCount: 1_200 }, counts })).toBe("Run of 1,200 tests");
});

test.each([
  [runSummary(), " manually", "Manually"],
  [runSummary({ startedBy: { kind: "user", userId: apiId, name: "ann" } }), " by ann", "ann"],
  [
    runSummary({ trigger: "ci", startedBy: { kind: "user", userId: apiId, name: "ann", apiToken: "Nightly build" } }),
    " by ann, token “Nightly build”",
    "ann, token “Nightly build”",
  ],
  [
    runSummary({ trigger: "api", startedBy: { kind: "user", userId: apiId, name: "ann" } }),
    " by ann (API call)",
    "ann (API call)",
  ],
  [
    runSummary({ trigger: "schedule", startedBy: { kind: "schedule", scheduleId: apiId, name: "Weekdays" } }),
    " by schedule “Weekdays”",
    "Schedule “Weekdays”",
  ],
  [
    runSummary({ trigger: "schedule", startedBy: { kind: "schedule", scheduleId: apiId, name: null } }),
    " by a schedule",
    "Schedule",
  ],
])("the starter of a run is named, or the kind of start if unknown", (run, ending, inList) => {
  expect(startedByWords(run)).toBe(ending);
  expect(starterWords(run)).toBe(inList);
});

test("the end of a run is announced with its verdict and counts, worst first", () => {
  expect(verdictsInWords(counts)).toBe("7 failed, 2 errored, 1 blocked, 1,190 passed, 2 cancelled");
  expect(endInWords(runSummary({ verdict: "flaky", counts: { ...none, passed: 0, flaky: 1 } }))).toBe(
    "The run has ended: flaky. 1 flaky.",
  );
  expect(
    endInWords(runSummary({ verdict: null, state: "cancelled", counts: { ...none, passed: 0, cancelled: 3 } })),
  ).toBe("The run has ended: cancelled. 3 cancelled.");
});

test("failed, errored and blocked executions can be run again", () => {
  expect(failedCount(counts)).toBe(10);
});

test("a row of data is named after its test", () => {
  expect(memberName({ testName: "Get a book", row: 2 })).toBe("Get a book, row 2");
  expect(memberName({ testName: "Get a book" })).toBe("Get a book");
  expect(memberName({ testName: "Add a book", row: 2, rowName: "title is missing" })).toBe(
    "Add a book: title is missing",
  );
});
