import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { administrate, bothEngines, createTestDatabase } from "../testing/databases.ts";
import { type Database, isUniqueViolation, json, openPostgresDatabase } from "./database.ts";
import { databaseProblem } from "./database-problem.ts";
import { migrateSchema } from "./migrate.ts";

interface Tables {
  notes: { id: number; body: unknown; written_at: Date };
}

for (const engine of bothEngines()) {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, "notebook", {
      "001-notes": {
        up: async (db) => {
          await db.schema
            .createTable("notes")
            .addColumn("id", "bigint", (column) => column.primaryKey())
            .addColumn("body", "jsonb", (column) => column.notNull())
            .addColumn("written_at", "timestamptz", (column) => column.notNull())
            .execute();
        },
      },
    });
  });
  afterAll(() => database.close());

  test(`${engine.name}: json, counts and moments come back as they are`, async () => {
    const notes = database.inSchema<Tables>("notebook");
    await notes
      .insertInto("notes")
      .values({ id: 1, body: json({ a: [1, "2"] }), written_at: new Date("2026-01-01T00:00:00Z") })
      .execute();
    const row = await notes.selectFrom("notes").selectAll().executeTakeFirstOrThrow();
    expect(row).toEqual({ id: 1, body: { a: [1, "2"] }, written_at: new Date("2026-01-01T00:00:00Z") });
  });

  test(`${engine.name}: a second row with the same key is a unique violation`, async () => {
    const notes = database.inSchema<Tables>("notebook");
    const twice = notes
      .insertInto("notes")
      .values({ id: 1, body: json(null), written_at: new Date() })
      .execute();
    const error = await twice.catch((caught: unknown) => caught);
    expect(isUniqueViolation(error, "notes_pkey")).toBe(true);
  });

  test(`${engine.name}: a transaction that throws leaves nothing`, async () => {
    const notes = database.inSchema<Tables>("notebook");
    const broken = notes.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("notes")
        .values({ id: 9, body: json(null), written_at: new Date() })
        .execute();
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    expect(await notes.selectFrom("notes").select("id").where("id", "=", 9).execute()).toEqual([]);
  });
}

test("PostgreSQL: a connection that its server drops is logged and counted, and the next statement gets another", async () => {
  const { url, drop } = await createTestDatabase();
  const logged: unknown[] = [];
  const log = { warn: (details: unknown, message: string) => void logged.push({ message, ...(details as object) }) };
  const database = await openPostgresDatabase(url, {
    maximumConnections: 2,
    log: log as NonNullable<Parameters<typeof openPostgresDatabase>[1]>["log"],
  });
  expect(database.figures()).toMatchObject({ connections: 1, idleConnections: 1, maximumConnections: 2 });
  await administrate((client) =>
    client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      new URL(url).pathname.slice(1),
    ]),
  );
  await vi.waitFor(() => expect(database.figures().connectionErrors).toBe(1), { timeout: 20_000 });
  expect(logged).toEqual([expect.objectContaining({ message: "a database connection was lost", code: "57P01" })]);
  await database.checkHealth();
  await expect(sql`select nothing`.execute(database.kysely)).rejects.toThrow("nothing");
  expect(database.figures().statementErrors).toBe(1);
  await database.close();
  await drop();
});

test("PostgreSQL: a connection that is lost within a transaction fails that transaction and nothing else", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { maximumConnections: 2 });
  const broken = database.kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await administrate((client) => client.query("select pg_terminate_backend($1)", [rows[0]!.pid]));
    // The connection is lost while its holder asks nothing.
    await vi.waitFor(() => expect(database.figures().connectionErrors).toBe(1), { timeout: 20_000 });
    await sql`select 1`.execute(transaction);
  });
  const error = await broken.catch((caught: unknown) => caught);
  expect(databaseProblem(error)).toMatchObject({ code: "service_unavailable" });
  await database.checkHealth();
  await database.close();
  await drop();
});

test("PostgreSQL: a statement that runs longer than its limit is ended, and whoever finds no connection is told in time", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { maximumConnections: 1, statementSeconds: 1, connectSeconds: 1 });
  const slow = sql`select pg_sleep(60)`.execute(database.kysely);
  const waiting = sql`select 1`.execute(database.kysely);
  await vi.waitFor(() => expect(database.figures()).toMatchObject({ idleConnections: 0, waitingForConnection: 1 }));
  const [ended] = await Promise.allSettled([slow, waiting]);
  expect(ended).toMatchObject({ status: "rejected", reason: { code: "57014" } });
  await database.close();
  await drop();
});
