import type { Trends } from "#contracts/test-analyzer/trends.ts";
import { writeLocal } from "#libraries/time-zone/wall-clock.ts";

import { marksOfSteps, markWords } from "./step-marks";

const columns = [
  ...["executions", "passed", "flaky", "errored", "failed"],
  ...["passRate", "availability", "flakiness", "p50", "p95", "p99"],
] as (keyof Omit<Trends["points"][number], "from">)[];

/** One line per step (RFC 4180); shares from 0 to 1, times in milliseconds. Values without executions are empty. */
export function writeTrendCsv({ points, timeZone, marks }: Pick<Trends, "points" | "timeZone" | "marks">): string {
  const steps = marksOfSteps(marks, points);
  const rows = points.map((point, index) => [
    writeLocal(timeZone, Date.parse(point.from)),
    ...columns.map((column) => getRounded(point[column])),
    quoted((steps.find((step) => step.index === index)?.marks ?? []).map(markWords).join("; ")),
  ]);
  return [["from", ...columns, "marks"], ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** Our own words come first, so that no spreadsheet takes a name for a formula. */
function quoted(words: string): string {
  return words && `"${words.replaceAll('"', '""')}"`;
}

function getRounded(value: number | null): string {
  return value === null ? "" : String(Math.round(value * 10_000) / 10_000);
}
