/**
 * The cost of claiming 128 executions on PostgreSQL with 1,000 and with 100,000 waiting in 50 organizations, and with
 * 100,000 in 10,000 organizations, and with 2,048 of the 100,000 running, by 16 processes, before those that wait. Alternating,
 * so that other load on the machine affects all.
 *
 *     npm run bench:queue
 */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { migrateSchema } from "../services/kit/database/migrate.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { LastServed } from "../services/test-executioner/jobs/last-served.ts";
import { claimExecutions } from "../services/test-executioner/store/claims.ts";
import { migrations } from "../services/test-executioner/store/migrations.ts";
import { type ExecutionTables, schemaName, table } from "../services/test-executioner/store/tables.ts";

const claimed = 128;
const rounds = 40;
const wanted = { waiting: 2, organizations: 1.5, running: 2 };

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

async function open(waiting: number, organizationCount: number, running = 0) {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { maximumConnections: 2 });
  await migrateSchema(database, schemaName, migrations);
  const db = database.inSchema<ExecutionTables>(schemaName);
  const organizations = Array.from({ length: organizationCount }, () => uuidv7());
  for (let first = 0; first < waiting; first += 1_000) {
    await sql`
      insert into ${table("unfinished_executions")} (id, organization_id, run_id, position, test_id, test_version,
        test_name, api_id, method, path, trigger, queued_at, is_released)
      select given.id, given.organization_id, gen_random_uuid(), 1, gen_random_uuid(), 1, 'a test', gen_random_uuid(),
        'get', '/', 'api', now(), true
      from unnest(
        ${Array.from({ length: 1_000 }, () => uuidv7())}::uuid[],
        ${Array.from({ length: 1_000 }, (_, index) => organizations[index % organizationCount]!)}::uuid[]
      ) as given(id, organization_id)`.execute(db);
  }
  await sql`
    update ${table("unfinished_executions")} set state = 'running', leased_until = now() + interval '1 hour'
    where id in (select id from ${table("unfinished_executions")} order by id limit ${running})`.execute(db);
  await sql`vacuum (analyze) ${table("unfinished_executions")}`.execute(db);

  const served = new LastServed();
  class Undone extends Error {}
  /** Milliseconds of one claim, which is rolled back: the next one finds the same rows. */
  async function measure(): Promise<number> {
    let milliseconds = 0;
    try {
      await db.transaction().execute(async (transaction) => {
        const start = performance.now();
        const executions = await claimExecutions(transaction, {
          ...{
            max: claimed,
            mostOfOne: claimed,
            capacities: new Map(),
            served: served.list(),
            after: served.furthest,
            leaseSeconds: 60,
            now: new Date(),
          },
        });
        milliseconds = performance.now() - start;
        served.note(executions.map((execution) => execution.organization_id));
        if (executions.length !== claimed) throw new Error(`${executions.length} were claimed instead of ${claimed}.`);
        throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
    return milliseconds;
  }
  return {
    measure,
    async close() {
      await database.close();
      await drop();
    },
  };
}

const queues = {
  few: await open(1_000, 50),
  many: await open(100_000, 50),
  scattered: await open(100_000, 10_000),
  busy: await open(100_000, 50, 2_048),
};
type Name = keyof typeof queues;
const names = Object.keys(queues) as Name[];
const times: Record<Name, number[]> = { few: [], many: [], scattered: [], busy: [] };
for (let round = -5; round < rounds; round += 1) {
  for (const name of names) {
    const milliseconds = await queues[name].measure();
    if (round >= 0) times[name].push(milliseconds);
  }
}
for (const name of names) await queues[name].close();
const medians = Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
const ratios = {
  waiting: medians.many / medians.few,
  organizations: medians.scattered / medians.many,
  running: medians.busy / medians.many,
};
const show = (name: Name) => `${medians[name].toFixed(1)} ms`;
process.stdout.write(
  `Claiming ${claimed}, median of ${rounds}:
    1,000 waiting,     50 organizations   ${show("few")}
  100,000 waiting,     50 organizations   ${show("many")}, ratio ${ratios.waiting.toFixed(2)} (wanted: at most ${wanted.waiting})
  100,000 waiting, 10,000 organizations   ${show("scattered")}, ratio ${ratios.organizations.toFixed(2)} (wanted: at most ${wanted.organizations})
  100,000 waiting, 2,048 of them running  ${show("busy")}, ratio ${ratios.running.toFixed(2)} (wanted: at most ${wanted.running})
`,
);
process.exitCode = (Object.keys(wanted) as (keyof typeof wanted)[]).every((name) => ratios[name] <= wanted[name])
  ? 0
  : 1;
