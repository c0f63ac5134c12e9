/**
 * The cost of claiming 128 executions on PostgreSQL with 1,000 and with 100,000 waiting in 50 organizations, alternating,
 * so that other load on the machine affects both.
 *
 *     npm run bench:queue
 */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { openPostgresDatabase } from "../services/kit/database/database.ts";
import { migrateSchema } from "../services/kit/database/migrate.ts";
import { createTestDatabase } from "../services/kit/testing/databases.ts";
import { claimExecutions } from "../services/test-executioner/store/claims.ts";
import { migrations } from "../services/test-executioner/store/migrations.ts";
import { type ExecutionTables, schemaName, table } from "../services/test-executioner/store/tables.ts";

const organizationCount = 50;
const claimed = 128;
const rounds = 40;
const wanted = 2;

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

async function open(waiting: number) {
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
  await sql`vacuum (analyze) ${table("unfinished_executions")}`.execute(db);

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
            served: [],
            leaseSeconds: 60,
            now: new Date(),
          },
        });
        milliseconds = performance.now() - start;
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

const few = await open(1_000);
const many = await open(100_000);
const times = { few: [] as number[], many: [] as number[] };
for (let round = -5; round < rounds; round += 1) {
  const [ofFew, ofMany] = [await few.measure(), await many.measure()];
  if (round < 0) continue;
  times.few.push(ofFew);
  times.many.push(ofMany);
}
await few.close();
await many.close();
const ratio = median(times.many) / median(times.few);
process.stdout.write(
  `Claiming ${claimed} of ${organizationCount} organizations, median of ${rounds}:
    1,000 waiting   ${median(times.few).toFixed(1)} ms
  100,000 waiting   ${median(times.many).toFixed(1)} ms
  ratio ${ratio.toFixed(2)} (wanted: at most ${wanted})
`,
);
process.exitCode = ratio <= wanted ? 0 : 1;
