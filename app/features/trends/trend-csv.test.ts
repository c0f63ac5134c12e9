import { expect, test } from "vitest";
import type { Mark } from "#contracts/test-analyzer/marks.ts";
import { writeTrendCsv } from "./trend-csv";

const nothing = {
  ...{ executions: 0, passed: 0, failed: 0, errored: 0, flaky: 0 },
  ...{ passRate: null, availability: null, flakiness: null, p50: null, p95: null, p99: null },
};

test("one line per step, in the zone's time; an unknown value is empty and not zero", () => {
  const from = "2026-03-09T23:00:00.000Z";
  const points = [
    { ...nothing, from, executions: 3, passed: 2, failed: 1, passRate: 2 / 3, availability: 1, p50: 12.345_67 },
    { ...nothing, from: "2026-03-10T23:00:00.000Z" },
  ];
  const marks = [{ kind: "deployment", name: 'a "b"', at: from } as Mark];
  expect(writeTrendCsv({ points, marks, timeZone: "Europe/Berlin" }).split("\r\n")).toEqual([
    "from,executions,passed,flaky,errored,failed,passRate,availability,flakiness,p50,p95,p99,marks",
    '2026-03-10T00:00:00+01:00,3,2,0,0,1,0.6667,1,,12.3457,,,"Deployment: a ""b"""',
    "2026-03-11T00:00:00+01:00,0,0,0,0,0,,,,,,,",
    "",
  ]);
});
