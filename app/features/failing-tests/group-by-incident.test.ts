import { expect, test } from "vitest";
import { groupByIncident } from "./group-by-incident";

const failing = (testId: string) => ({ testId });

test("a failing test is listed once: below its incident, or after all of them", () => {
  const incidents = [
    { id: "severe", failingTestIds: ["a", "c"] },
    { id: "mild", failingTestIds: ["c", "d"] },
    { id: "document", failingTestIds: [] },
  ];
  const recovering = { testId: "r", recovering: { incidentId: "mild" } as never };
  const tests = [failing("d"), failing("c"), failing("b"), failing("a"), recovering];
  const grouped = groupByIncident(incidents, tests);
  const listed = grouped.incidents.map(({ incident, tests }) => [incident.id, ...tests.map(({ testId }) => testId)]);
  expect(listed).toEqual([["severe", "c", "a"], ["mild", "d", "r"], ["document"]]);
  expect(grouped.others.map(({ testId }) => testId)).toEqual(["b"]);
});

test("without incidents all tests follow, also one whose incident is not among them", () => {
  const recovering = { testId: "r", recovering: { incidentId: "unknown" } as never };
  expect(groupByIncident([], [failing("a"), recovering]).others.map(({ testId }) => testId)).toEqual(["a", "r"]);
});
