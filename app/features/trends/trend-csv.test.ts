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
  expect(writeTrendCsv({ points, marks, places: [], timeZone: "Europe/Berlin" }).split("\r\n")).toEqual([
    "from,executions,passed,flaky,errored,failed,passRate,availability,flakiness,p50,p95,p99,marks",
    '2026-03-10T00:00:00+01:00,3,2,0,0,1,0.6667,1,,12.3457,,,"Deployment: a ""b"""',
    "2026-03-11T00:00:00+01:00,0,0,0,0,0,,,,,,,",
    "",
  ]);
});

test("each of several places has columns of its own", () => {
  const from = "2026-03-09T23:00:00.000Z";
  const place = (name: string, changes: object) => ({
    ...{ locationId: null, name, total: nothing, last: null },
    points: [{ ...nothing, from, ...changes }],
  });
  const places = [
    place("This portal", { executions: 2, passRate: 1, p50: 12, p95: 20 }),
    place('Berlin, "east"', { executions: 2, failed: 1, passRate: 0.5, p50: 130.5, p95: 200 }),
  ];
  const points = [{ ...nothing, from, executions: 2 }];
  const [header, line] = writeTrendCsv({ points, marks: [], places, timeZone: "UTC" }).split("\r\n");
  expect(header).toContain('p99,"executions from This portal",');
  expect(header).toContain(
    '"passRate from Berlin, ""east""","p50 from Berlin, ""east""","p95 from Berlin, ""east""",marks',
  );
  expect(line).toMatch(/,,,2,0,0,1,12,20,2,1,0,0\.5,130\.5,200,$/);
});
