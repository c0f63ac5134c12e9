import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothEngines } from "../testing/databases.ts";
import { type Database, isUniqueViolation, json, migrateSchema } from "./database.ts";

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

  test(`${engine.name}: D07: five replicas starting at once migrate once`, async () => {
    let runs = 0;
    const migrations = {
      "001-counted": {
        up: async (db: Kysely<unknown>) => {
          runs++;
          await db.schema.createTable("counted").addColumn("id", "bigint").execute();
        },
      },
    };
    // Warm connections, so that all five really start in the same millisecond.
    const replicas = [1, 2, 3, 4, 5];
    await Promise.all(replicas.map(() => sql`select pg_sleep(0.02)`.execute(database.kysely)));
    await Promise.all(replicas.map(() => migrateSchema(database, "replicated", migrations)));
    expect(runs).toBe(1);
  });
}
