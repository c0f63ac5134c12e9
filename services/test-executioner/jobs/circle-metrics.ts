import type { Clock } from "../../kit/clock/clock.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { Family } from "../../kit/metrics/metrics.ts";
import { writeCircleFamilies } from "../domain/circle-series.ts";
import { type CircleFigures, listCircleFigures } from "../store/circle-figures.ts";
import type { FinishedRun } from "../store/finished-runs.ts";
import type { ExecutionTables } from "../store/tables.ts";

const day = 86_400_000;
/** Scrapers of several systems share one look into the database. */
const cacheMilliseconds = 10_000;
/** Beyond these, counts of one process are added up. */
const maxCounted = 5_000;

export type CircleMetrics = ReturnType<typeof createCircleMetrics>;

/** Figures of circles for `/metrics`: of their newest runs for all processes, and counts of this one. */
export function createCircleMetrics({
  db,
  clock,
  maxCircles,
}: {
  db: Executor<ExecutionTables>;
  clock: Clock;
  /** How many have series of their own. */
  maxCircles: number;
}) {
  const runs = new Map<string, Map<string, number>>();
  let cached: { at: number; circles: Promise<CircleFigures[]> } | undefined;

  function read(): Promise<CircleFigures[]> {
    const now = clock.now().getTime();
    if (cached && Math.abs(now - cached.at) < cacheMilliseconds) return cached.circles;
    const since = new Date(now - 35 * day);
    const circles = listCircleFigures(db, { since, yesterday: new Date(Math.floor(now / day) * day - day) });
    cached = { at: now, circles };
    circles.catch(() => {
      cached = undefined;
    });
    return circles;
  }

  return {
    /** Counts runs that this process ended. */
    count(ended: readonly Pick<FinishedRun, "source_kind" | "test_circle_id" | "verdict">[]): void {
      for (const { source_kind, test_circle_id, verdict } of ended) {
        if (source_kind !== "circle" || test_circle_id === null) continue;
        const id = runs.has(test_circle_id) || runs.size < maxCounted ? test_circle_id : "";
        const verdicts = runs.get(id) ?? new Map<string, number>();
        const key = verdict ?? "cancelled";
        verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
        runs.set(id, verdicts);
      }
    },
    families: async (): Promise<Family[]> => writeCircleFamilies(await read(), runs, maxCircles),
  };
}
