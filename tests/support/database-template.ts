import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { makeTables } from "../../server/make-tables.ts";
import { openPostgresDatabase } from "../../services/kit/database/database.ts";
import { administrate, testDatabaseUrl } from "../../services/kit/testing/databases.ts";

const stores = readdirSync("services")
  .map((service) => join("services", service, "store"))
  .filter((store) => existsSync(join(store, "migrations.ts")));
const prefix = "tests_template_";
const aDay = 24 * 60 * 60 * 1_000;

/** Everything that determines the schema. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of ["package.json", "server/make-tables.ts"]) hash.update(readFileSync(file));
  for (const folder of [...stores, "services/kit/queue", "services/kit/database"]) {
    for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
      if (name.endsWith(".ts")) hash.update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

async function fill(url: string): Promise<void> {
  const database = await openPostgresDatabase(url, { maximumConnections: 2 });
  await makeTables(database);
  await database.close();
}

/** Templates of earlier versions; one that another run is copying from is left until the next time. */
async function dropOld(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; made: string }>(
    "select datname as name, shobj_description(oid, 'pg_database') as made from pg_database where datname like $1",
    [`${prefix}%`],
  );
  for (const { name, made } of rows) {
    if (Date.now() - Date.parse(made) > aDay) await client.query(`drop database if exists ${name}`).catch(() => {});
  }
}

/**
 * Once before a run of the suite: a database with every service's tables, which each test's database is copied from.
 * It is kept on the server under a name derived from its migrations.
 */
export default async function makeTemplate(): Promise<void> {
  // Set by `scripts/test.js`, which checks the files that it runs.
  if (process.env.TESTS_NEED_DATABASE === "no") return;
  const name = prefix + fingerprint();
  process.env.TEST_DATABASE_TEMPLATE = name;
  await administrate(async (client) => {
    await client.query("select pg_advisory_lock(7420911)");
    await dropOld(client);
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount) return;
    // Renamed only when it is complete: an interrupted one is never used as a template.
    await client.query(`drop database if exists ${prefix}unfinished with (force)`);
    await client.query(`create database ${prefix}unfinished`);
    await fill(testDatabaseUrl(`${prefix}unfinished`));
    await client.query(`alter database ${prefix}unfinished rename to ${name}`);
    await client.query(`comment on database ${name} is '${new Date().toISOString()}'`);
  });
}
