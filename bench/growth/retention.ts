import { pino } from "pino";
import { systemClock } from "../../services/kit/clock/clock.ts";
import { retain } from "../../services/test-executioner/jobs/retention.ts";
import { type ExecutionTables, schemaName } from "../../services/test-executioner/store/tables.ts";
import type { Organization } from "./organization.ts";

const p95 = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!;

/** Opens the pages in turns, so often or until told to stop. Answers the times of each. */
async function openAll(pages: Record<string, string>, own: Organization, turns: number, stopped: AbortSignal) {
  const times = new Map<string, number[]>();
  for (let turn = 0; turn < turns && !stopped.aborted; turn += 1) {
    for (const [name, path] of Object.entries(pages)) {
      const start = performance.now();
      await own.open(path);
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  }
  return times;
}

/**
 * How long pages take while retention deletes most of what an organization has, from this process as from a worker's:
 * bodies older than a week, executions older than a month. Answers the 95th percentile of each page without it and
 * meanwhile.
 */
export async function comparePagesWithRetention(pages: Record<string, string>, own: Organization, turns: number) {
  const quiet = await openAll(pages, own, turns, new AbortController().signal);
  const [ended, enough] = [new AbortController(), new AbortController()];
  const retention = retain(
    {
      db: own.database.inSchema<ExecutionTables>(schemaName),
      clock: systemClock,
      log: pino({ level: "silent" }),
      findRetention: async () => ({ detailsDays: 7, verdictsDays: 30 }),
    },
    enough.signal,
  ).finally(() => ended.abort());
  const busy = await openAll(pages, own, turns, ended.signal);
  const outlasted = !ended.signal.aborted;
  enough.abort();
  await retention;
  const compared = Object.keys(pages).map((name) => ({
    name,
    opened: busy.get(name)?.length ?? 0,
    without: p95(quiet.get(name)!),
    meanwhile: p95(busy.get(name) ?? [Number.NaN]),
  }));
  return { compared, outlasted };
}
