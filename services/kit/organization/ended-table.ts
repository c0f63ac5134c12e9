import { type Kysely, sql } from "kysely";
import type { AnyTables, Executor } from "../database/database.ts";

/** Recently deleted organizations, until no concurrent work can write further rows. */
export interface EndedTables {
  ended_organizations: {
    id: string;
    ended_at: Date;
    /** When to delete its rows next. */
    sweep_at: Date;
  };
}

/** Migration step of each service with rows of organizations. */
export function createEndedTable(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    await sql`
      create table ${sql.id(schema, "ended_organizations")} (
        id uuid primary key,
        ended_at timestamptz not null,
        sweep_at timestamptz not null
      )`.execute(db);
  };
}

/** A repeated event changes nothing. */
export async function insertEnded(db: Executor<EndedTables>, id: string, now: Date): Promise<void> {
  await db
    .insertInto("ended_organizations")
    .values({ id, ended_at: now, sweep_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function listDue(db: Executor<EndedTables>, now: Date): Promise<{ id: string; ended_at: Date }[]> {
  return await db
    .selectFrom("ended_organizations")
    .select(["id", "ended_at"])
    .where("sweep_at", "<=", now)
    .orderBy("sweep_at")
    .execute();
}

export async function scheduleSweep(db: Executor<EndedTables>, id: string, at: Date): Promise<void> {
  await db.updateTable("ended_organizations").set({ sweep_at: at }).where("id", "=", id).execute();
}

export async function deleteEnded(db: Executor<EndedTables>, id: string): Promise<void> {
  await db.deleteFrom("ended_organizations").where("id", "=", id).execute();
}
