import { sql } from "kysely";
import { expect, test } from "vitest";
import { createEmbeddedFolder, createTestDatabase } from "../testing/databases.ts";
import { openEmbeddedDatabase, openPostgresDatabase } from "./database.ts";
import { databaseProblem } from "./database-problem.ts";

test("PGlite: on an almost full disk nothing is stored and everything can be read, until there is space again", async () => {
  const disk = { free: 1e9 };
  const reported: unknown[] = [];
  const log = {
    error: (...words: unknown[]) => reported.push(words),
    warn: (...words: unknown[]) => reported.push(words),
  };
  const database = await openEmbeddedDatabase(undefined, {
    reserveBytes: 1e8,
    readFreeBytes: async () => disk.free,
    log,
  });
  const { kysely } = database;
  const store = () => sql`insert into notes values (1)`.execute(kysely);
  const storing = () =>
    store().then(
      () => "stored",
      (error) => databaseProblem(error)?.code,
    );
  await sql`create table notes (number int)`.execute(kysely);
  await store();

  disk.free = 9e7;
  await expect.poll(storing).toBe("insufficient_storage");
  const transaction = kysely.transaction().execute((inside) => sql`delete from notes`.execute(inside));
  expect(databaseProblem(await transaction.catch((error: unknown) => error))?.code).toBe("insufficient_storage");
  expect((await sql`select number from notes`.execute(kysely)).rows).not.toEqual([]);
  await expect(database.checkCapacity()).rejects.toMatchObject({ code: "insufficient_storage" });
  await database.checkHealth();

  disk.free = 1e9;
  await expect.poll(storing).toBe("stored");
  await database.checkCapacity();
  expect(reported).toHaveLength(2);
  await database.close();
});

test("a start below the reserve is refused with the remedy", async () => {
  const opened = openEmbeddedDatabase(undefined, {
    reserveBytes: 128 * 1_048_576,
    readFreeBytes: async () => 1_048_576,
  });
  await expect(opened).rejects.toThrow(
    /has 1 MB left, and 128 MB are kept in reserve\. Free up space, or lower DATA_RESERVE/,
  );
});

test("PGlite: an engine stuck on a full disk is terminated, and continues with its stored data once there is space", async () => {
  const folder = await createEmbeddedFolder();
  const disk = { free: 1e9 };
  const database = await openEmbeddedDatabase(folder.path, { readFreeBytes: async () => disk.free });
  const { kysely } = database;
  const store = () => sql`insert into notes values (1)`.execute(kysely);
  const storing = () =>
    store().then(
      () => "stored",
      (error) => databaseProblem(error)?.code,
    );
  const heard: unknown[] = [];
  await database.subscribe("notes", (payload) => heard.push(payload));
  await sql`create table notes (number int)`.execute(kysely);
  await store();

  disk.free = 0;
  const caught = sql`select pg_sleep(3600)`.execute(kysely).catch((error: unknown) => error);
  const behindIt = storing();
  expect(databaseProblem(await caught)).toMatchObject({ code: "service_unavailable" });
  expect(await behindIt).not.toBe("stored");
  await expect.poll(storing).toBe("insufficient_storage");
  await expect(database.checkHealth()).rejects.toThrow();

  disk.free = 1e9;
  await expect.poll(storing).toBe("stored");
  await database.checkHealth();
  await database.checkCapacity();
  expect((await sql`select number from notes`.execute(kysely)).rows).toHaveLength(2);
  await sql`select pg_notify('notes', 'heard again')`.execute(kysely);
  await expect.poll(() => heard).toEqual([undefined, "heard again"]);
  await database.close();
  folder.remove();
});

/** With one connection, which the test can prevent from writing. */
const opened = {
  PGlite: async () => {
    const folder = await createEmbeddedFolder();
    return { database: await openEmbeddedDatabase(folder.path), drop: async () => folder.remove() };
  },
  PostgreSQL: async () => {
    const { url, drop } = await createTestDatabase();
    return { database: await openPostgresDatabase(url, { maximumConnections: 1 }), drop };
  },
};

test.each(Object.entries(opened))(
  "%s: health reports from the first refusal on that nothing can be stored, and when it can again",
  async (_, open) => {
    const { database, drop } = await open();
    const { kysely } = database;
    await database.checkCapacity();
    await sql`set default_transaction_read_only = on`.execute(kysely);
    await expect(sql`create table notes (number int)`.execute(kysely)).rejects.toThrow("read-only");
    await expect(database.checkCapacity()).rejects.toThrow("read-only");
    await sql`set default_transaction_read_only = off`.execute(kysely);
    await database.checkCapacity();
    expect((await sql`select relname from pg_class where relname = 'room_to_write'`.execute(kysely)).rows).toEqual([]);
    await database.close();
    await drop();
  },
);
