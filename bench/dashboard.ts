/**
 * Opens the dashboard and the list of APIs of an organization with 100 APIs, 10,000 tests, 500 circles with a schedule
 * each, and a million executions, as a signed-in browser does. Prints the medians until the last byte, and how the
 * database finds what the rows say: what fails, state, last runs, figures and next run.
 * Starts its own PostgreSQL, or uses the one at TEST_DATABASE_URL; takes some 3 GB there for a few minutes.
 *
 * Run: npm run build && npm run bench:dashboard [executions]
 */
import { loadavg } from "node:os";
import { CompiledQuery, type Kysely, type QueryExecutor, type QueryResult, sql } from "kysely";
import { startPostgres } from "../scripts/postgres.js";
import type { Database } from "../services/kit/database/database.ts";
import { listApiRuns } from "../services/test-executioner/store/api-runs.ts";
import { countSubjects } from "../services/test-executioner/store/count-reads.ts";
import { listFailingTests } from "../services/test-executioner/store/failing-tests.ts";
import { summarizeApis } from "../services/test-executioner/store/latest-executions.ts";
import { type ExecutionTables, schemaName } from "../services/test-executioner/store/tables.ts";
import { listNextOfApis } from "../services/test-registry/store/schedules.ts";
import { schemaName as registrySchema, type TestTables } from "../services/test-registry/store/tables.ts";
import { fill } from "./growth/fill.ts";
import { type Organization, openOrganization } from "./growth/organization.ts";

const executions = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
const [apis, testsOfApi, circlesOfApi] = [100, 100, 5];
const pageSize = 50;
const turns = 20;
const day = 86_400_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;

/** Copies rows of a table, each changed by an expression over `n`. */
async function copy({ kysely }: Database, table: string, changed: string, from: string): Promise<void> {
  const [schemaOfTable, name] = table.split(".");
  const { rows } = await sql<{ columns: string }>`
    select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_schema = ${schemaOfTable} and table_name = ${name} and is_generated = 'NEVER'`.execute(kysely);
  const { columns } = rows[0]!;
  await sql
    .raw(
      `insert into ${table} (${columns}) select ${columns} from (
        select (jsonb_populate_record(original, to_jsonb(original) || ${changed})).* ${from}) copied`,
    )
    .execute(kysely);
}

const id = (seed: string) => `overlay(overlay(md5(${seed}) placing '7' from 13) placing '8' from 17)::uuid`;

/** More APIs, tests, circles and schedules, by the example of those that the public API created. */
async function enlarge({ database, apiId, testId, testCircleId }: Organization): Promise<void> {
  const numbers = (count: number) => `generate_series(1, ${count}) n`;
  const one = (table: string, column: string, value: string) =>
    `from ${table} original, %s where original.${column} = '${value}'`;
  await copy(
    database,
    "api_registry.apis",
    `jsonb_build_object('id', ${id("'api' || n")}, 'name', 'API ' || n, 'name_key', 'api ' || lpad(n::text, 4, '0'), 'tags', array['tag ' || n % 5])`,
    one("api_registry.apis", "id", apiId).replace("%s", numbers(apis)),
  );
  await copy(
    database,
    "test_registry.tests",
    `jsonb_build_object('id', ${id("'test' || n || ' ' || m")}, 'api_id', ${id("'api' || n")}, 'name', 'Test ' || m)`,
    one("test_registry.tests", "id", testId).replace("%s", `${numbers(apis)}, generate_series(1, ${testsOfApi}) m`),
  );
  await copy(
    database,
    "test_registry.test_circles",
    `jsonb_build_object('id', ${id("'circle' || n || ' ' || m")}, 'name', 'Circle ' || n || ' ' || m)`,
    one("test_registry.test_circles", "id", testCircleId).replace(
      "%s",
      `${numbers(apis)}, generate_series(1, ${circlesOfApi}) m`,
    ),
  );
  await copy(
    database,
    "test_registry.test_circle_members",
    `jsonb_build_object('circle_id', ${id("'circle' || n || ' ' || m")}, 'api_id', ${id("'api' || n")})`,
    one("test_registry.test_circle_members", "circle_id", testCircleId).replace(
      "%s",
      `${numbers(apis)}, generate_series(1, ${circlesOfApi}) m`,
    ),
  );
  await sql
    .raw(
      `insert into test_registry.schedules select (jsonb_populate_record(null::test_registry.schedules, jsonb_build_object(
        'id', ${id("'schedule' || id")}, 'organization_id', organization_id, 'circle_id', id, 'every_seconds', 3600,
        'time_zone', 'UTC', 'enabled', true, 'overlap', 'skip', 'catch_up', 'latest', 'version', 1, 'is_spread', false,
        'spread_seconds', 0, 'claims', 0, 'next_at', now() + random() * interval '1 hour', 'created_at', now(), 'updated_at', now()))).*
      from test_registry.test_circles where name ~ '^Circle \\d+ \\d+$'`,
    )
    .execute(database.kysely);
  await sql`delete from test_registry.tests where api_id not in (select ${sql.raw(id("'api' || n"))} from generate_series(1, ${sql.lit(apis)}) n)`.execute(
    database.kysely,
  );
}

/** Runs each query of a function twice: explained, and for its rows. */
async function explain<Tables>(
  name: string,
  db: Kysely<Tables>,
  read: (explained: Kysely<Tables>) => Promise<unknown>,
): Promise<void> {
  const executor = db.getExecutor();
  const plans: string[][] = [];
  const explaining: Pick<QueryExecutor, "transformQuery" | "compileQuery" | "executeQuery"> = {
    transformQuery: (node, queryId) => executor.transformQuery(node, queryId),
    compileQuery: (node, queryId) => executor.compileQuery(node, queryId),
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const explanation = `explain (analyze, costs off, timing off) ${query.sql}`;
      const { rows } = await executor.executeQuery<{ "QUERY PLAN": string }>(
        CompiledQuery.raw(explanation, [...query.parameters]),
      );
      plans.push(rows.map((row) => row["QUERY PLAN"]));
      return await executor.executeQuery<Row>(query as CompiledQuery<Row>);
    },
  };
  const explained = Object.create(db, { getExecutor: { value: () => explaining } }) as Kysely<Tables>;
  await read(explained);
  for (const plan of plans) {
    const time = plan.find((line) => line.startsWith("Execution Time"));
    print(`\n${name}: ${time?.replace("Execution Time: ", "")}`);
    for (const line of plan.filter((line) => /Scan /.test(line))) print(`  ${line.trim().replace(/^-> +/, "")}`);
  }
}

const postgres = await startPostgres();
process.env.TEST_DATABASE_URL = postgres.url;
const { createDatabases } = await import("./growth/databases.ts");
const databases = createDatabases();
let own: Organization | undefined;
try {
  own = await openOrganization(await databases.open(executions + 1));
  await enlarge(own);
  const start = performance.now();
  await fill(own, executions, apis * testsOfApi);
  const load = loadavg()[0]!.toFixed(1);
  print(
    `${executions.toLocaleString("en")} executions in ${((performance.now() - start) / 1_000).toFixed(0)} s (load ${load})`,
  );
  const { organizationId, database } = own;
  for (const path of ["/dashboard", "/dashboard?range=90d", "/dashboard?state=well", "/api-management/list"]) {
    const times: number[] = [];
    let characters = 0;
    for (let turn = -3; turn < turns; turn += 1) {
      const begin = performance.now();
      characters = (await own.open(path)).length;
      if (turn >= 0) times.push(performance.now() - begin);
    }
    print(
      `${path.padEnd(24)}${median(times).toFixed(0).padStart(6)} ms, ${Math.round(characters / 1_000)} kB (load ${loadavg()[0]!.toFixed(1)})`,
    );
  }
  const { rows } = await sql<{ id: string }>`
    select id from api_registry.apis where organization_id = ${organizationId}::uuid order by name_key limit ${pageSize}`.execute(
    database.kysely,
  );
  const ids = rows.map((row) => row.id);
  const executed = database.inSchema<ExecutionTables>(schemaName);
  const until = new Date();
  const period = (days: number) => ({
    ...{ organizationId, subjectIds: ids, until: until.toISOString() },
    from: new Date(until.getTime() - days * day).toISOString(),
  });
  await explain("what fails", executed, (db) => listFailingTests(db, organizationId, { limit: pageSize }));
  await explain("state", executed, (db) => summarizeApis(db, organizationId, ids));
  await explain("last runs", executed, (db) => listApiRuns(db, organizationId, ids));
  await explain("figures of 7 days", executed, (db) => countSubjects(db, period(7)));
  await explain("figures of 30 days", executed, (db) => countSubjects(db, period(30)));
  const registered = database.inSchema<TestTables>(registrySchema);
  await explain("next run", registered, (db) => listNextOfApis(db, organizationId, ids));
} finally {
  await own?.stop();
  await databases.drop();
  postgres.stop();
}
