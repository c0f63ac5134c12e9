/**
 * What it costs to delete a day's million details on PostgreSQL with its default settings: row by row, as of
 * organizations whose retention was not known when they were stored, and by dropping their day. Prints time, write-ahead
 * log and dead rows, and how long a worker's claims take meanwhile, beside without.
 *
 *     npm run bench:retention [-- ROWS]
 */
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { uuidv7 } from "uuidv7";
import { systemClock } from "../services/kit/clock/clock.ts";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { firstIdAt } from "../services/kit/database/id-time.ts";
import { migrateSchema } from "../services/kit/database/migrate.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { retain } from "../services/test-executioner/jobs/retention.ts";
import { claimExecutions } from "../services/test-executioner/store/claims.ts";
import { assignClasses } from "../services/test-executioner/store/dated-details.ts";
import { migrations } from "../services/test-executioner/store/migrations.ts";
import { createPartitions } from "../services/test-executioner/store/partitions.ts";
import { type ExecutionTables, schemaName, table } from "../services/test-executioner/store/tables.ts";

const rows = Number(process.argv[2] ?? 1_000_000);
const day = 86_400_000;
const detailsDays = 7;
const organizations = Array.from({ length: 20 }, () => uuidv7());
const print = (line: string) => void process.stdout.write(`${line}\n`);
const quantile = (numbers: number[], share: number) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)]!;

/** A day that ended as long ago as details are kept. */
const start = Math.floor(Date.now() / day) * day - (detailsDays + 1) * day;

async function measure(byDay: boolean) {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url);
  const { kysely } = database;
  await migrateSchema(database, schemaName, migrations);
  const db = database.inSchema<ExecutionTables>(schemaName);
  await createPartitions(kysely, new Date(), new Date(start));
  const all = new Map(organizations.map((id) => [id, detailsDays]));
  if (byDay) await assignClasses(db, all, new Date(start + day));
  else {
    await sql`insert into ${table("retention_classes")} (organization_id, retention_days, is_current)
      select id, ${detailsDays}::int, false from unnest(${organizations}::uuid[]) given(id)`.execute(db);
  }
  const filled = byDay ? table("dated_details") : table("execution_details");
  const ids = firstIdAt(sql`to_timestamp(${start / 1_000}::float8 + number * ${86_400 / rows}::float8)`);
  for (let first = 0; first < rows; first += 100_000) {
    await sql`
      insert into ${filled} (execution_id, organization_id, schema_version, attempts, verifications
        ${byDay ? sql`, retention_days` : sql``})
      select overlay(${ids}::text placing substr(md5(number::text), 1, 12) from 25)::uuid,
        (${organizations}::uuid[])[number % 20 + 1], 1, repeat(md5(number::text), 12), '[]'
        ${byDay ? sql`, ${detailsDays}::int` : sql``}
      from generate_series(${first}::int, ${Math.min(rows, first + 100_000) - 1}::int) number`.execute(db);
  }
  await sql`
    insert into ${table("unfinished_executions")} (id, organization_id, run_id, position, test_id, test_version,
      test_name, api_id, method, path, trigger, queued_at, is_released)
    select gen_random_uuid(), (${organizations}::uuid[])[number % 20 + 1], gen_random_uuid(), 1, gen_random_uuid(), 1,
      'a test', gen_random_uuid(), 'get', '/', 'api', now(), true
    from generate_series(1, 10000) number`.execute(db);
  await sql`vacuum analyze`.execute(kysely);
  await sql`checkpoint`.execute(kysely);

  /** Claims 48 executions again and again; each claim is rolled back, so that the next one finds the same rows. */
  async function claim(until: () => boolean): Promise<number[]> {
    const times: number[] = [];
    while (!until()) {
      const begun = performance.now();
      await kysely
        .transaction()
        .execute(async (transaction) => {
          const options = { max: 48, mostOfOne: 48, capacities: new Map(), served: [], after: organizations[0]! };
          await claimExecutions(transaction, { ...options, leaseSeconds: 60, now: new Date() });
          times.push(performance.now() - begun);
          throw new Undone();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
      await pause(20);
    }
    return times;
  }
  const readLog = async () =>
    (
      await sql<{ bytes: number }>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`.execute(
        kysely,
      )
    ).rows[0]!.bytes;
  const quietUntil = performance.now() + 5_000;
  const quiet = await claim(() => performance.now() > quietUntil);

  let isOver = false;
  const claiming = claim(() => isOver);
  const [log, begun] = [await readLog(), performance.now()];
  await retain(
    {
      ...{ db, clock: systemClock },
      log: pino({ level: "silent" }),
      findRetention: async () => ({ detailsDays, verdictsDays: 120 }),
    },
    new AbortController().signal,
  );
  const seconds = (performance.now() - begun) / 1_000;
  const written = (await readLog()) - log;
  isOver = true;
  const busy = await claiming;
  await pause(1_500);
  const { rows: left } = await sql<{ rows: number; dead: number; bytes: number }>`
    select (select count(*)::int from ${filled}) as rows, coalesce(sum(n_dead_tup), 0)::int as dead,
      coalesce(sum(pg_total_relation_size(relid)), 0)::float8 as bytes
    from pg_stat_user_tables where relname ~ '^(execution|dated)_details'`.execute(kysely);
  await database.close();
  await drop();
  const { rows: remaining, dead, bytes } = left[0]!;
  print(
    `${byDay ? "by dropping their day" : "row by row"}: ${seconds.toFixed(1)} s, ${(written / 1_048_576).toFixed(1)} MB of WAL, ` +
      `${dead} dead rows, ${(bytes / 1_048_576).toFixed(0)} MB left on disk, ${remaining} rows left`,
  );
  print(
    `  claims: p50 ${quantile(quiet, 0.5).toFixed(1)} ms, p95 ${quantile(quiet, 0.95).toFixed(1)} ms without; ` +
      `p50 ${quantile(busy, 0.5).toFixed(1)} ms, p95 ${quantile(busy, 0.95).toFixed(1)} ms, max ${Math.max(...busy).toFixed(1)} ms meanwhile (${busy.length})`,
  );
  return { seconds, written, remaining };
}

class Undone extends Error {}

print(`Deleting ${rows} details (load ${loadavg()[0]!.toFixed(1)}):`);
const one = await measure(false);
const other = await measure(true);
print(`time ${(one.seconds / other.seconds).toFixed(0)}:1, WAL ${(one.written / other.written).toFixed(0)}:1`);
process.exitCode = one.remaining + other.remaining === 0 ? 0 : 1;
