import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, type Migration, Migrator, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { StartRefused } from "../service/start-refused.ts";
import { EmbeddedDriver, embeddedDialect } from "./embedded.ts";
import { PostgresListener, type Subscribe } from "./notifications.ts";

/** Tables are declared by each service's store; the shared handle knows none of them. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own wildcard for "tables not known here".
export type AnyTables = any;

/** A database connection shared by all services of this process; each works in a PostgreSQL schema of its own. */
export interface Database {
  engine: "pglite" | "postgresql";
  kysely: Kysely<AnyTables>;
  /** The service's own view: unqualified tables resolve to its schema. */
  inSchema<Tables>(schema: string): Kysely<Tables>;
  /** Hears what `notify` tells; see there. */
  subscribe: Subscribe;
  checkHealth(): Promise<void>;
  close(): Promise<void>;
}

/** What a store function runs on: the database, or a transaction of it. */
export type Executor<Tables> = Kysely<Tables> | Transaction<Tables>;

const numberTypes = new pg.TypeOverrides();
numberTypes.setTypeParser(pg.types.builtins.INT8, Number);
numberTypes.setTypeParser(pg.types.builtins.NUMERIC, Number);

function wrap(
  engine: Database["engine"],
  kysely: Kysely<AnyTables>,
  listener: { subscribe: Subscribe; close?(): Promise<void> },
): Database {
  return {
    engine,
    kysely,
    subscribe: listener.subscribe,
    inSchema: <Tables>(schema: string) => kysely.withSchema(schema) as unknown as Kysely<Tables>,
    async checkHealth() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await listener.close?.();
      await kysely.destroy();
    },
  };
}

/**
 * Opens PGlite in `<dataDirectory>/database`, or in memory without a directory. The caller holds the folder's lock.
 * @param template folder of an empty database, copied at the first start
 */
export async function openEmbeddedDatabase(dataDirectory?: string, template?: string): Promise<Database> {
  if (dataDirectory) await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const driver = new EmbeddedDriver({ dataDirectory: dataDirectory && join(dataDirectory, "database"), template });
  const database = wrap("pglite", new Kysely({ dialect: embeddedDialect(driver) }), driver);
  await database.checkHealth();
  return database;
}

/** Opens PostgreSQL; fails at once when it does not answer, so that a wrong address shows at start. */
export async function openPostgresDatabase(connectionString: string, options: { maximumConnections?: number } = {}) {
  const pool = new pg.Pool({
    connectionString,
    max: options.maximumConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    types: numberTypes,
    application_name: "api-assurance-portal",
  });
  // Without a listener, an idle connection that the server drops would end the process.
  pool.on("error", () => {});
  const database = wrap(
    "postgresql",
    new Kysely({ dialect: new PostgresDialect({ pool }) }),
    new PostgresListener(connectionString),
  );
  try {
    await database.checkHealth();
  } catch (error) {
    // A connection refused by both ::1 and 127.0.0.1 has its words in `errors`.
    const { message, errors } = error as AggregateError;
    const words = [message, ...(errors ?? []).map((part: Error) => part.message)].filter(Boolean)[0];
    throw new StartRefused(`DATABASE_URL leads to no PostgreSQL that lets us in: ${words}.`, { cause: error });
  }
  return database;
}

/** Brings one service's schema to its newest version. Names sort in order; each step runs in one transaction. */
export async function migrateSchema(
  database: Database,
  schema: string,
  migrations: Record<string, Migration>,
): Promise<void> {
  // "if not exists" still fails when two replicas start at once: both look before either has written.
  await database.kysely.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(5108843706)`.execute(transaction);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
  });
  const migrator = new Migrator({
    db: database.inSchema(schema),
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: schema,
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const step = results?.find((result) => result.status === "Error")?.migrationName;
    throw new Error(`Migration ${step ?? ""} of ${schema} failed.`, { cause: error });
  }
}

/** True for PostgreSQL's unique violation, on both engines. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = error as { code?: string; constraint?: string };
  return code === "23505" && (constraint === undefined || violated === constraint);
}

/** A JSON value as a jsonb parameter, on both engines. */
export function json<Value>(value: Value) {
  return sql<Value>`cast(${JSON.stringify(value)} as jsonb)`;
}
