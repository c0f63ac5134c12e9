import { type Kysely, type Selectable, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName, type TestDatabase, type TestTables, type TestTransaction } from "./tables.ts";

const table = sql.id(schemaName, "import_attempts");

/** Imports under way, each stored before it makes anything in another service. */
export async function createImportAttempts(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${table} (
      id uuid primary key,
      organization_id uuid not null,
      state text not null check (state in ('making', 'made', 'undoing', 'undone')),
      credential_ids uuid[] not null default '{}',
      claimed_until timestamptz not null
    )`.execute(db);
  // One at a time: each finds what the one before made.
  await sql`create unique index import_attempts_open on ${table} (organization_id) where state in ('making', 'undoing')`.execute(
    db,
  );
}

export type ImportAttempt = Selectable<TestTables["import_attempts"]>;

/** @returns false while another import of the organization is under way */
export async function insertAttempt(db: TestDatabase, attempt: ImportAttempt): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("import_attempts")
    .values(attempt)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Of one organization, or of all; an attempt that no process works on. */
export async function claimAttempt(
  db: TestDatabase,
  { organizationId, now, until }: { organizationId?: string; now: Date; until: Date },
): Promise<ImportAttempt | undefined> {
  const { rows } = await sql<ImportAttempt>`
    update ${table} set claimed_until = ${until}::timestamptz,
      state = case state when 'making' then 'undoing' else state end
    where id = (
      select id from ${table} where claimed_until <= ${now}::timestamptz
        and (${organizationId ?? null}::uuid is null or organization_id = ${organizationId ?? null}::uuid)
      order by claimed_until limit 1 for update skip locked
    ) returning *`.execute(db);
  return rows[0];
}

/** @returns false where it is not in the state (any more) */
export async function changeAttempt(
  db: TestDatabase | TestTransaction,
  { id, organization_id, state }: Pick<ImportAttempt, "id" | "organization_id" | "state">,
  change: Partial<Pick<ImportAttempt, "state" | "credential_ids" | "claimed_until">>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("import_attempts")
    .set(change)
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .where("state", "=", state)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removeAttempt(
  db: TestDatabase,
  { id, organization_id }: Pick<ImportAttempt, "id" | "organization_id">,
): Promise<void> {
  await db.deleteFrom("import_attempts").where("organization_id", "=", organization_id).where("id", "=", id).execute();
}
