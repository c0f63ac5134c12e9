import { writeLocal } from "../../services/kit/time-zone/wall-clock.ts";
import type { Trends } from "../../services/test-analyzer/contract/trends.ts";

const columns = [
  ...["executions", "passed", "flaky", "errored", "failed"],
  ...["passRate", "availability", "flakiness", "p50", "p95", "p99"],
] as (keyof Omit<Trends["points"][number], "from">)[];

/** A line a step (RFC 4180); shares from 0 to 1, times in milliseconds. Where nothing ran, nothing is said. */
export function writeTrendCsv({ points, timeZone }: Pick<Trends, "points" | "timeZone">): string {
  const rows = points.map((point) => [
    writeLocal(timeZone, Date.parse(point.from)),
    ...columns.map((column) => roundedOf(point[column])),
  ]);
  return [["from", ...columns], ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

function roundedOf(value: number | null): string {
  return value === null ? "" : String(Math.round(value * 10_000) / 10_000);
}
