import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { administrate, bothEngines, createTestDatabase } from "../testing/databases.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";
import { type Database, isUniqueViolation, json, openPostgresDatabase, type PoolOptions } from "./database.ts";
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

  test(`${engine.name}: D08: json, counts and timestamps are returned unchanged`, async () => {
    const notes = database.inSchema<Tables>("notebook");
    await notes
      .insertInto("notes")
      .values({ id: 1, body: json({ a: [1, "2"] }), written_at: new Date("2026-01-01T00:00:00Z") })
      .execute();
    const row = await notes.selectFrom("notes").selectAll().executeTakeFirstOrThrow();
    expect(row).toEqual({ id: 1, body: { a: [1, "2"] }, written_at: new Date("2026-01-01T00:00:00Z") });
  });

  test(`${engine.name}: D08: a second row with the same key is a unique violation`, async () => {
    const notes = database.inSchema<Tables>("notebook");
    const twice = notes
      .insertInto("notes")
      .values({ id: 1, body: json(null), written_at: new Date() })
      .execute();
    const error = await twice.catch((caught: unknown) => caught);
    expect(isUniqueViolation(error, "notes_pkey")).toBe(true);
  });

  test(`${engine.name}: D08: a transaction that throws is rolled back`, async () => {
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

test("PostgreSQL: a connection dropped by its server is logged and counted, and the next statement gets another", async () => {
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
  await expect.poll(() => database.figures().connectionErrors).toBe(1);
  expect(logged).toEqual([expect.objectContaining({ message: "a database connection was lost", code: "57P01" })]);
  await database.checkHealth();
  await expect(sql`select nothing`.execute(database.kysely)).rejects.toThrow("nothing");
  expect(database.figures().statementErrors).toBe(1);
  await database.close();
  await drop();
});

test("PostgreSQL: an unavailable database is logged once, and once with the duration when it is back", async () => {
  const { url, drop } = await createTestDatabase();
  const proxy = await startTcpProxy(url);
  const said: { message: string; code?: string; seconds?: number }[] = [];
  const log = {
    warn: (details: object, message: string) => void said.push({ message, ...details }),
  } as unknown as PoolOptions["log"];
  const database = await openPostgresDatabase(proxy.url, { log });
  const callAll = () => Promise.allSettled(Array.from({ length: 20 }, () => database.checkHealth()));
  await callAll();
  await proxy.refuse();
  await expect.poll(() => database.figures().connections).toBe(0);
  said.length = 0;
  for (let round = 0; round < 5; round++) await callAll();
  expect(said).toEqual([
    { message: "the database does not respond", code: "ECONNREFUSED", reason: expect.stringContaining("ECONNREFUSED") },
  ]);
  await proxy.forward();
  for (let round = 0; round < 5; round++) await callAll();
  expect(said.slice(1)).toEqual([{ message: "the database responds again", seconds: expect.any(Number) }]);
  await database.close();
  await proxy.stop();
  await drop();
});

test("PostgreSQL: closing does not wait for a statement to which the server no longer responds", async () => {
  const { url, drop } = await createTestDatabase();
  const proxy = await startTcpProxy(url);
  const database = await openPostgresDatabase(proxy.url, { closeSeconds: 1 });
  const pending = sql`select pg_sleep(600)`.execute(database.kysely);
  await expect.poll(() => database.figures().idleConnections).toBe(0);
  proxy.stall();
  await expect(database.close()).rejects.toThrow("the database does not respond");
  await proxy.stop();
  await expect(pending).rejects.toThrow();
  await drop();
});

test("PostgreSQL: a connection lost within a transaction fails that transaction and nothing else", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { maximumConnections: 2 });
  const broken = database.kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await administrate((client) => client.query("select pg_terminate_backend($1)", [rows[0]!.pid]));
    // The connection is lost between two statements.
    await expect.poll(() => database.figures().connectionErrors).toBe(1);
    await sql`select 1`.execute(transaction);
  });
  const error = await broken.catch((caught: unknown) => caught);
  expect(databaseProblem(error)).toMatchObject({ code: "service_unavailable" });
  await database.checkHealth();
  await database.close();
  await drop();
});

test("PostgreSQL: a statement that exceeds its time limit is cancelled", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { statementSeconds: 1 });
  await expect(sql`select pg_sleep(600)`.execute(database.kysely)).rejects.toMatchObject({ code: "57014" });
  await database.close();
  await drop();
});

test("PostgreSQL: callers waiting for a connection are counted, and get an error when none is free in time", async () => {
  const { url, drop } = await createTestDatabase();
  for (const connectSeconds of [600, 1]) {
    const database = await openPostgresDatabase(url, { maximumConnections: 1, connectSeconds });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const holding = database.kysely.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await held;
    });
    await expect.poll(() => database.figures().idleConnections).toBe(0);
    const waiting = sql`select 1`.execute(database.kysely);
    if (connectSeconds === 1) await expect(waiting).rejects.toThrow("timeout exceeded when trying to connect");
    else await expect.poll(() => database.figures().waitingForConnection).toBe(1);
    letGo();
    await holding;
    await Promise.allSettled([waiting]);
    await database.close();
  }
  await drop();
});
