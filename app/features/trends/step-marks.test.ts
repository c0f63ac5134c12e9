import { expect, test } from "vitest";
import type { Mark } from "#contracts/test-analyzer/marks.ts";
import { marksOfSteps, plotMarks } from "./step-marks";

const mark = (name: string, at: string, kind: Mark["kind"] = "deployment") => ({ name, at, kind }) as Mark;
const points = ["2026-03-08", "2026-03-09", "2026-03-10"].map((day) => ({ from: `${day}T00:00:00.000Z` }));

test("marks are numbered by step; those of one step share its number", () => {
  const marks = [
    mark("too early", "2026-03-07T23:59:59.999Z"),
    mark("2.3", "2026-03-08T00:00:00.000Z"),
    mark("1.1", "2026-03-10T09:00:00.000Z", "document"),
    mark("2.4", "2026-03-10T10:00:00.000Z"),
  ];
  expect(plotMarks(marksOfSteps(marks, points))).toEqual([
    { index: 0, label: "1", names: ["Deployment: 2.3"] },
    { index: 2, label: "2", names: ["New document version: 1.1", "Deployment: 2.4"] },
  ]);
});
