import { expect, test } from "vitest";
import { renderFamilies } from "../../kit/metrics/metrics.ts";
import { type ReportedCircle, writeCircleFamilies } from "./circle-series.ts";

const createCircle = (number: number, changes: Partial<ReportedCircle> = {}): ReportedCircle => ({
  ...{ organizationId: "o1", testCircleId: `c${number}`, name: `Circle ${number}`, verdict: "passed" },
  ...{ finishedAt: new Date(1_700_000_000_000), durationSeconds: 12.5, p95Seconds: 0.25 },
  ...changes,
});

test("a circle has one series of each family, however many there are: the rest is one", () => {
  const circles = Array.from({ length: 500 }, (_, number) =>
    createCircle(number, { verdict: number % 2 ? "failed" : "passed" }),
  );
  const runs = new Map(circles.map(({ testCircleId }) => [testCircleId, new Map([["passed", 3]])]));
  const families = writeCircleFamilies(circles, runs, 10);
  for (const { samples } of families) expect(samples.length).toBeLessThanOrEqual(12);
  const lines = renderFamilies(families).split("\n");
  expect(lines).toContain('circle_last_run{organization="o1",circle="Circle 0",circle_id="c0",verdict="passed"} 1');
  expect(lines).toContain(
    'circle_last_run{organization="other",circle="other",circle_id="other",verdict="failed"} 245',
  );
  expect(lines).toContain(
    'circle_runs_total{organization="other",circle="other",circle_id="other",verdict="passed"} 1470',
  );
  expect(lines).toContain('circle_runs_total{organization="o1",circle="Circle 9",circle_id="c9",verdict="passed"} 3');
});

test("a circle without responses has no response time, and a cancelled run is no verdict", () => {
  const text = renderFamilies(
    writeCircleFamilies([createCircle(1, { verdict: null, p95Seconds: null })], new Map(), 10),
  );
  expect(text).toContain('verdict="cancelled"} 1');
  expect(text).not.toContain("circle_response_time_p95_seconds{");
  expect(text).toContain('circle_last_run_duration_seconds{organization="o1",circle="Circle 1",circle_id="c1"} 12.5');
});
