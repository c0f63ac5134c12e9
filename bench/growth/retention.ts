import { pino } from "pino";
import { systemClock } from "../../services/kit/clock/clock.ts";
import { retain } from "../../services/test-executioner/jobs/retention.ts";
import { type ExecutionTables, schemaName } from "../../services/test-executioner/store/tables.ts";
import type { Organization } from "./organization.ts";

type Pages = Record<string, (own: Organization) => Promise<unknown>>;

const p95 = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!;

/** Opens the pages in turns, so often or until told to stop. Answers the times of each. */
async function openAll(pages: Pages, own: Organization, turns: number, stopped: AbortSignal) {
  const times = new Map<string, number[]>();
  for (let turn = 0; turn < turns && !stopped.aborted; turn += 1) {
    for (const [name, open] of Object.entries(pages)) {
      const start = performance.now();
      await open(own);
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  }
  return times;
}

/**
 * How long pages take while retention deletes most of what an organization has: bodies older than a week, executions
 * older than a month. Answers the 95th percentile of each page without it and meanwhile.
 */
export async function comparePagesWithRetention(pages: Pages, own: Organization, turns: number) {
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
  enough.abort();
  await retention;
  return Object.keys(pages).map((name) => ({
    name,
    opened: busy.get(name)?.length ?? 0,
    without: p95(quiet.get(name)!),
    meanwhile: p95(busy.get(name) ?? [Number.NaN]),
  }));
}
