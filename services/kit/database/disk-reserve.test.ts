import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "../testing/databases.ts";
import { openEmbeddedDatabase, openPostgresDatabase } from "./database.ts";
import { databaseProblem } from "./database-problem.ts";

test("PGlite: on a disk short of room nothing is stored and everything read, until there is room again", async () => {
  const disk = { free: 1_000 };
  const told: unknown[] = [];
  const log = { error: (...words: unknown[]) => told.push(words), warn: (...words: unknown[]) => told.push(words) };
  const database = await openEmbeddedDatabase(undefined, {
    reserveBytes: 100,
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

  disk.free = 99;
  await expect.poll(storing).toBe("insufficient_storage");
  const transaction = kysely.transaction().execute((inside) => sql`delete from notes`.execute(inside));
  expect(databaseProblem(await transaction.catch((error: unknown) => error))?.code).toBe("insufficient_storage");
  expect((await sql`select number from notes`.execute(kysely)).rows).not.toEqual([]);
  await expect(database.checkRoom()).rejects.toMatchObject({ code: "insufficient_storage" });
  await database.checkHealth();

  disk.free = 1_000;
  await expect.poll(storing).toBe("stored");
  await database.checkRoom();
  expect(told).toHaveLength(2);
  await database.close();
});

test("a start below the reserve is refused with what to do", async () => {
  const opened = openEmbeddedDatabase(undefined, {
    reserveBytes: 128 * 1_048_576,
    readFreeBytes: async () => 1_048_576,
  });
  await expect(opened).rejects.toThrow(
    /has 1 MB left, and 128 MB are kept in reserve\. Make room, or set DATA_RESERVE/,
  );
});

test("PostgreSQL: health knows that nothing can be stored from the first refusal on, and when it can again", async () => {
  const { url, drop } = await createTestDatabase();
  const database = await openPostgresDatabase(url, { maximumConnections: 1 });
  const { kysely } = database;
  await database.checkRoom();
  await sql`set default_transaction_read_only = on`.execute(kysely);
  await expect(sql`create table notes (number int)`.execute(kysely)).rejects.toThrow("read-only");
  await expect(database.checkRoom()).rejects.toThrow("read-only");
  await sql`set default_transaction_read_only = off`.execute(kysely);
  await database.checkRoom();
  expect((await sql`select relname from pg_class where relname = 'room_to_write'`.execute(kysely)).rows).toEqual([]);
  await database.close();
  await drop();
});
