import { type Kysely, type Migration, sql } from "kysely";
import type { z } from "zod";
import { type AnyTables, type Database, type Executor, json } from "../../services/kit/database/database.ts";
import { migrateSchema } from "../../services/kit/database/migrate.ts";

const schemaName = "paypal_sandbox";

interface Tables {
  documents: { kind: string; id: string; value: unknown; created_at: Date };
}

const migrations: Record<string, Migration> = {
  "001-documents": {
    async up(db: Kysely<AnyTables>) {
      await sql`
        create table ${sql.id(schemaName, "documents")} (
          kind text not null,
          id text not null,
          value jsonb not null,
          created_at timestamptz not null default now(),
          primary key (kind, id)
        )`.execute(db);
    },
  },
};

/** All stored documents, by kind and id: a handful of products, and the actions of one installation's buyers. */
export interface Documents {
  /** Serializes changes: no other change happens between a request's reads and writes. */
  change<Result>(work: (documents: Opened) => Promise<Result>): Promise<Result>;
}

export interface Opened {
  find<Shape extends z.ZodType>(kind: string, shape: Shape, id: string): Promise<z.output<Shape> | undefined>;
  /** In creation order. */
  list<Shape extends z.ZodType>(kind: string, shape: Shape): Promise<z.output<Shape>[]>;
  put(kind: string, id: string, value: unknown): Promise<void>;
  delete(kind: string, id: string): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

function open(db: Executor<Tables>): Opened {
  return {
    async find(kind, shape, id) {
      const row = await db
        .selectFrom("documents")
        .select("value")
        .where("kind", "=", kind)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && shape.parse(row.value);
    },
    async list(kind, shape) {
      const rows = await db
        .selectFrom("documents")
        .select("value")
        .where("kind", "=", kind)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(({ value }) => shape.parse(value));
    },
    async put(kind, id, value) {
      await db
        .insertInto("documents")
        .values({ kind, id, value: json(value), created_at: sql`clock_timestamp()` })
        .onConflict((conflict) => conflict.columns(["kind", "id"]).doUpdateSet({ value: json(value) }))
        .execute();
    },
    async delete(kind, id) {
      await db.deleteFrom("documents").where("kind", "=", kind).where("id", "=", id).execute();
    },
    async clear() {
      await db.deleteFrom("documents").execute();
    },
  };
}

export async function openDocuments(database: Database): Promise<Documents> {
  await migrateSchema(database, schemaName, migrations);
  const db = database.inSchema<Tables>(schemaName);
  return {
    change: (work) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(5108843713)`.execute(transaction);
        return await work(open(transaction));
      }),
  };
}
