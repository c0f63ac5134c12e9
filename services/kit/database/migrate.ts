import { type Kysely, type Migration, Migrator, sql } from "kysely";
import type { Logger } from "pino";
import { StartRefused } from "../service/start-refused.ts";
import type { AnyTables, Database } from "./database.ts";
import { raiseSecondWall } from "./row-security.ts";

export type Migrations = Record<string, Migration>;

/** A newer version's process may apply its steps between the check and the lock. */
const maxTries = 3;
const isNewerStep = (error: unknown) =>
  error instanceof Error && /previously executed migration .* is missing/.test(error.message);

/**
 * Migrates one service's schema to this version. Names sort in order; all steps run in one transaction. Applied steps
 * that are unknown here belong to a newer version: they only expand the schema (see docs/operations.md), so this
 * version continues to run on it while processes are replaced one by one.
 * @throws StartRefused naming the failed step and the remedy
 */
export async function migrateSchema(
  database: Database,
  schema: string,
  migrations: Migrations,
  log?: Pick<Logger, "warn">,
): Promise<void> {
  await applySteps(database, schema, migrations, log);
  await raiseSecondWall(database, schema, log);
}

async function applySteps(
  database: Database,
  schema: string,
  migrations: Migrations,
  log?: Pick<Logger, "warn">,
): Promise<void> {
  if (await isMigrated(database.kysely, schema, migrations, log)) return;
  // "if not exists" still fails when two replicas start simultaneously: both check before either has written.
  await database.kysely.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(5108843706)`.execute(transaction);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
  });
  await database.kysely.connection().execute(async (connection) => {
    // A step may take as long as necessary, whatever limit the operator has set for requests.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      for (let tries = 1; ; tries += 1) {
        const newer = unknownSteps(await listAppliedSteps(connection, schema), migrations);
        const { error, results } = await getMigrator(connection, schema, migrations, newer).migrateToLatest();
        if (isNewerStep(error) && tries < maxTries) continue;
        if (error) throw refusal(schema, results?.find(({ status }) => status === "Error")?.migrationName, error);
        return warnOfNewer(schema, newer, log);
      }
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

/** Most starts have nothing to do, which a single query shows; Kysely would read every table's columns first. */
async function isMigrated(
  connection: Kysely<AnyTables>,
  schema: string,
  known: Migrations,
  log?: Pick<Logger, "warn">,
): Promise<boolean> {
  const applied = await listAppliedSteps(connection, schema);
  if (!Object.keys(known).every((name) => applied.includes(name))) return false;
  warnOfNewer(schema, unknownSteps(applied, known), log);
  return true;
}

function warnOfNewer(schema: string, steps: string[], log?: Pick<Logger, "warn">): void {
  if (steps.length > 0) log?.warn({ schema, steps }, "the schema is of a newer version; running on it as it is");
}

async function listAppliedSteps(connection: Kysely<AnyTables>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass(${`${schema}.migrations`}) is not null as "isThere"`.execute(connection);
  if (!rows[0]?.isThere) return [];
  const applied = await connection.withSchema(schema).selectFrom("migrations").select("name").execute();
  return applied.map(({ name }) => String(name));
}

const unknownSteps = (applied: string[], known: Migrations) => applied.filter((name) => !Object.hasOwn(known, name));

/** Kysely treats an unknown step as a corrupted history, so unknown ones are added by name. */
function getMigrator(connection: Kysely<AnyTables>, schema: string, known: Migrations, unknown: string[]): Migrator {
  const standIns = Object.fromEntries(unknown.map((name) => [name, { up: async () => {} }]));
  return new Migrator({
    db: connection.withSchema(schema),
    provider: { getMigrations: async () => ({ ...standIns, ...known }) },
    migrationTableSchema: schema,
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
    // A newer version's steps may sort before a step that only this one has.
    allowUnorderedMigrations: true,
  });
}

const remedies: Record<string, string> = {
  "42501": "The user in DATABASE_URL may not change the schema: let it own the database.",
  "53100": "The database's disk is full: free up space and start again.",
  "55P03": "Another process holds a lock on a table: stop it and start again.",
};

function refusal(schema: string, step: string | undefined, error: unknown): StartRefused {
  const { code = "", message } = error as { code?: string; message: string };
  const remedy =
    remedies[code] ??
    "The version that ran before still runs on this database: start it again, and report the step with these words.";
  const what = step ? `Step ${step} of the schema ${schema}` : `Migrating the schema ${schema}`;
  return new StartRefused(`${what} failed, and nothing of it was kept: ${message}. ${remedy}`, { cause: error });
}
