import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StartRefused } from "../service/start-refused.ts";
import { bothEngines } from "../testing/databases.ts";
import type { AnyTables, Database } from "./database.ts";
import { type Migrations, migrateSchema } from "./migrate.ts";

const creates = (schema: string, table: string) => ({
  up: async (db: Kysely<AnyTables>) => {
    await sql`create table ${sql.id(schema, table)} (id bigint)`.execute(db);
  },
});

for (const engine of bothEngines()) {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
  });
  afterAll(() => database.close());

  const getTables = async (schema: string) =>
    (
      await sql<{ name: string }>`
        select table_name as name from information_schema.tables
        where table_schema = ${schema} and table_name not like 'migrations%' order by 1`.execute(database.kysely)
    ).rows.map(({ name }) => name);

  test(`${engine.name}: D07: five replicas starting at once migrate once`, async () => {
    let runs = 0;
    const migrations = {
      "001-counted": {
        up: async (db: Kysely<AnyTables>) => {
          runs++;
          await db.schema.createTable("counted").addColumn("id", "bigint").execute();
        },
      },
    };
    // Warm connections, so that all five start in the same millisecond.
    const replicas = [1, 2, 3, 4, 5];
    await Promise.all(replicas.map(() => sql`select pg_sleep(0.02)`.execute(database.kysely)));
    await Promise.all(replicas.map(() => migrateSchema(database, "replicated", migrations)));
    expect(runs).toBe(1);
  });

  test(`${engine.name}: D07: an older version starts on a newer schema, logs it, and leaves it unchanged`, async () => {
    const old: Migrations = { "001-books": creates("rolling", "books") };
    const newer: Migrations = { ...old, "002-authors": creates("rolling", "authors") };
    await migrateSchema(database, "rolling", newer);
    const warned: unknown[] = [];
    const log = { warn: (details: unknown) => void warned.push(details) };
    await migrateSchema(database, "rolling", old, log as never);
    expect(warned).toEqual([{ schema: "rolling", steps: ["002-authors"] }]);
    expect(await getTables("rolling")).toEqual(["authors", "books"]);
    // The newer version continues with a step that sorts between existing ones.
    await migrateSchema(database, "rolling", { ...newer, "001a-shelves": creates("rolling", "shelves") });
    expect(await getTables("rolling")).toEqual(["authors", "books", "shelves"]);
  });

  test(`${engine.name}: D07: a failed step is rolled back and named with its schema and the remedy`, async () => {
    const steps: Migrations = {
      "001-books": creates("failing", "books"),
      "002-broken": { up: (db) => sql`create index on failing.nowhere (id)`.execute(db).then(() => {}) },
    };
    const error = await migrateSchema(database, "failing", steps).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toBe(
      'Step 002-broken of the schema failing failed, and nothing of it was kept: relation "failing.nowhere" does not exist. ' +
        "The version that ran before still runs on this database: start it again, and report the step with these words.",
    );
    expect(await getTables("failing")).toEqual([]);
    await migrateSchema(database, "failing", { "001-books": creates("failing", "books") });
    expect(await getTables("failing")).toEqual(["books"]);
  });
}
