import { pino } from "pino";
import { systemClock } from "../../services/kit/clock/clock.ts";
import { retain } from "../../services/test-executioner/jobs/retention.ts";
import { type ExecutionTables, schemaName } from "../../services/test-executioner/store/tables.ts";
import type { Organization } from "./organization.ts";

const p95 = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!;

type Times = Map<string, number[]>;

/** Opens the pages in turns, up to the given number of rounds or until stopped, and collects the times of each. */
async function openAll(
  pages: Record<string, string>,
  own: Organization,
  { times, turns, stopped }: { times: Times; turns: number; stopped?: AbortSignal },
): Promise<void> {
  for (let turn = 0; turn < turns && !stopped?.aborted; turn += 1) {
    for (const [name, path] of Object.entries(pages)) {
      const start = performance.now();
      await own.open(path);
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  }
}

/** Until it is stopped, or has deleted everything due. */
function startRetention(own: Organization) {
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
  return {
    ended: ended.signal,
    async stop() {
      enough.abort();
      await retention;
    },
  };
}

const parts = 6;

/**
 * How long pages take while retention deletes most of an organization's data, from this process as from a worker's:
 * bodies older than a week, executions older than a month. Alternating with and without it, so that other load on the
 * machine affects both. Returns the 95th percentile of each page.
 */
export async function comparePagesWithRetention(pages: Record<string, string>, own: Organization, turns: number) {
  const [quiet, busy]: [Times, Times] = [new Map(), new Map()];
  let outlasted = true;
  for (let part = 0; part < parts && outlasted; part += 1) {
    await openAll(pages, own, { times: quiet, turns: turns / parts });
    const retention = startRetention(own);
    await openAll(pages, own, { times: busy, turns: turns / parts, stopped: retention.ended });
    outlasted = !retention.ended.aborted;
    await retention.stop();
  }
  const compared = Object.keys(pages).map((name) => ({
    name,
    opened: busy.get(name)?.length ?? 0,
    without: p95(quiet.get(name)!),
    meanwhile: p95(busy.get(name) ?? [Number.NaN]),
  }));
  return { compared, outlasted };
}
