import { type Kysely, type Selectable, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName, type TestDatabase, type TestTables } from "./tables.ts";

type CalendarRow = Selectable<TestTables["calendars"]>;

export async function createCalendars(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "calendars")} (
      user_id uuid primary key,
      organization_id uuid not null,
      token_hash text not null unique,
      created_at timestamptz not null
    )`.execute(db);
}

export async function findCalendar(
  db: TestDatabase,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<CalendarRow | undefined> {
  return await db
    .selectFrom("calendars")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** The token alone identifies the owner. */
export async function findCalendarByToken(db: TestDatabase, tokenHash: string): Promise<CalendarRow | undefined> {
  return await db.selectFrom("calendars").selectAll().where("token_hash", "=", tokenHash).executeTakeFirst();
}

export async function putCalendar(db: TestDatabase, { user_id, ...columns }: CalendarRow): Promise<void> {
  await db
    .insertInto("calendars")
    .values({ user_id, ...columns })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(columns))
    .execute();
}

/** Whether there was one. */
export async function removeCalendar(
  db: TestDatabase,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("calendars")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
