import type { Trends } from "#contracts/test-analyzer/trends.ts";
import { writeLocal } from "#libraries/time-zone/wall-clock.ts";

import { marksOfSteps, markWords } from "./step-marks";

const columns = [
  ...["executions", "passed", "flaky", "errored", "failed"],
  ...["passRate", "availability", "flakiness", "p50", "p95", "p99"],
] as (keyof Omit<Trends["points"][number], "from">)[];

const placeColumns = ["executions", "failed", "errored", "passRate", "p50", "p95"] as const;

/**
 * One line per step (RFC 4180); shares from 0 to 1, times in milliseconds. Values without executions are empty. Each of
 * several places has columns of its own, such as `passRate from Berlin`.
 */
export function writeTrendCsv({
  points,
  timeZone,
  marks,
  places,
}: Pick<Trends, "points" | "timeZone" | "marks" | "places">): string {
  const steps = marksOfSteps(marks, points);
  const several = places.length > 1 ? places : [];
  const placeNames = several.flatMap(({ name }) => placeColumns.map((column) => quoted(`${column} from ${name}`)));
  const rows = points.map((point, index) => [
    writeLocal(timeZone, Date.parse(point.from)),
    ...columns.map((column) => getRounded(point[column])),
    ...several.flatMap((place) => placeColumns.map((column) => getRounded(place.points[index]![column]))),
    quoted((steps.find((step) => step.index === index)?.marks ?? []).map(markWords).join("; ")),
  ]);
  return [["from", ...columns, ...placeNames, "marks"], ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** Our own words come first, so that no spreadsheet takes a name for a formula. */
function quoted(words: string): string {
  return words && `"${words.replaceAll('"', '""')}"`;
}

function getRounded(value: number | null): string {
  return value === null ? "" : String(Math.round(value * 10_000) / 10_000);
}
