/**
 * A million schedules in one table, in eleven zones, and a day when clocks change, simulated in minutes: the time is
 * passed in, and two schedulers in this process take turns at each minute until nothing is due. What they record is
 * compared with what the database computes by itself. Organizations whose times are in a maintenance window have them
 * recorded as skipped; those of one in ten start runs, which no worker executes.
 *
 *     npm run bench:schedule-day [-- SCHEDULES]
 */
import { loadavg } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "kysely";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { fillScheduledDay, listTicks, readDayFigures } from "../services/test-registry/testing/scheduled-day.ts";
import { createScheduledWorld } from "../services/test-registry/testing/scheduled-world.ts";

const schedules = Number(process.argv[2] ?? 1_000_000);
const organizations = 200;
const hours = 24;
/** Of the memory in use after the first quarter of the day, what may be added until its end. */
const maxGrowth = 1.2;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576);
const quantile = (numbers: number[], share: number) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? 0;

const { url, drop } = await createTestDatabase();
const database = await openPostgresDatabase(url);
const { kysely } = database;
const scheduled = await createScheduledWorld(database);
const { world } = scheduled;
const filling = performance.now();
await fillScheduledDay(world, kysely, {
  ...{ schedules, recurrences: Math.min(5_000, Math.ceil(schedules / 4)) },
  ...{ organizations, starting: organizations / 10 },
});
print(`${schedules} schedules filled in ${Math.round((performance.now() - filling) / 1_000)} s`);

const takers = [scheduled.createTaker(), scheduled.createTaker()];
const turns: number[] = [];
const ticks: number[] = [];
const inUse: number[] = [];
let leasedInHour = 0;
/** Milliseconds that statements took, waiting included. */
const readDatabaseTime = async () => {
  const { rows } = await sql<{ milliseconds: number }>`
    select active_time as milliseconds from pg_stat_database where datname = current_database()`.execute(kysely);
  return rows[0]!.milliseconds;
};
const start = performance.now();
const [usage, ofDatabase] = [process.cpuUsage(), await readDatabaseTime()];
for (const [index, tick] of listTicks(hours).entries()) {
  scheduled.moveTo(tick);
  const begun = performance.now();
  /** Both take turns until a round leases nothing. */
  for (let leased = 1; leased > 0; ) {
    const both = await Promise.all(
      takers.map(async (take) => {
        const began = performance.now();
        const own = await take();
        if (own > 0) turns.push(performance.now() - began);
        return own;
      }),
    );
    leased = both[0]! + both[1]!;
    leasedInHour += leased;
    // The tests' world keeps what it logs.
    world.logged.length = 0;
  }
  ticks.push(performance.now() - begun);
  if (index % 60 < 59) continue;
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  inUse.push(heapUsed + external);
  const recent = ticks.slice(-60);
  print(
    `  ${tick.slice(11, 16)}  ${String(leasedInHour).padStart(7)} due, minute p50 ${Math.round(quantile(recent, 0.5))} ms, max ${Math.round(Math.max(...recent))} ms; ` +
      `in use ${megabytes(heapUsed + external)} MB, resident ${megabytes(rss)} MB`,
  );
  leasedInHour = 0;
}
const seconds = (performance.now() - start) / 1_000;
const { user, system } = process.cpuUsage(usage);
const databaseTime = (await readDatabaseTime()) - ofDatabase;
const figures = await readDayFigures(kysely, hours);
const { expected, recorded, missing, unexpected, started, skipped, runs } = figures;
print(
  `A day of ${schedules} schedules in ${Math.round(seconds)} s (load ${loadavg()[0]!.toFixed(1)}): expected ${expected}, recorded ${recorded}, ` +
    `missed ${missing}, too many ${unexpected}; ${started} started ${runs} runs, ${skipped} skipped`,
);
print(
  `  turns of up to 200: p50 ${quantile(turns, 0.5).toFixed(0)} ms, p95 ${quantile(turns, 0.95).toFixed(0)} ms; ` +
    `minutes: p50 ${quantile(ticks, 0.5).toFixed(0)} ms, p95 ${quantile(ticks, 0.95).toFixed(0)} ms, max ${Math.max(...ticks).toFixed(0)} ms`,
);
print(
  `  each: processor time of scheduler and executioner ${((user + system) / 1_000 / recorded).toFixed(2)} ms, statements ${(databaseTime / recorded).toFixed(2)} ms`,
);
const growth = Math.max(...inUse.slice(18)) / Math.max(...inUse.slice(0, 6));
print(`  memory at its highest in the last quarter beside the first: ${growth.toFixed(2)} (at most ${maxGrowth})`);
await world.stop();
await database.close();
await drop();
const isExact = missing === 0 && unexpected === 0 && recorded === expected && started === runs;
process.exitCode = isExact && growth <= maxGrowth ? 0 : 1;
