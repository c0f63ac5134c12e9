import { type Kysely, sql, type Transaction } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

/**
 * Tests and APIs that were deleted a moment ago: a start that had read them before then must not leave executions that
 * nothing would delete any more.
 */
export async function createDeletedTests(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "deleted_tests")} (
      organization_id uuid not null,
      subject_id uuid not null,
      deleted_at timestamptz not null,
      primary key (organization_id, subject_id)
    )`.execute(db);
}

/** Far longer than a start takes from reading its tests to its commit. */
const keptMilliseconds = 60 * 60 * 1_000;

const turnOf = (organizationId: string) => sql`hashtextextended(${`deleted ${organizationId}`}, 0)`;

/**
 * Marks tests, or an API, as deleted; to be committed before what is kept of them is deleted. Waits for starts of the
 * organization that may have looked already: what they commit is deleted with the rest.
 */
export async function markDeleted(
  db: ExecutionDatabase,
  organizationId: string,
  subjectIds: string[],
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${turnOf(organizationId)})`.execute(transaction);
    await sql`delete from ${table("deleted_tests")} where organization_id = ${organizationId}::uuid
      and deleted_at < ${new Date(now.getTime() - keptMilliseconds)}::timestamptz`.execute(transaction);
    await sql`
      insert into ${table("deleted_tests")} (organization_id, subject_id, deleted_at)
      select ${organizationId}::uuid, subject_id, ${now}::timestamptz from unnest(${subjectIds}::uuid[]) as given(subject_id)
      on conflict do nothing`.execute(transaction);
  });
}

/** Whether one of these tests or their APIs was deleted; none is any more until the transaction has ended. */
export async function holdsDeleted(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  tests: { id: string; apiId: string }[],
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(${turnOf(organizationId)})`.execute(transaction);
  const subjects = [...new Set(tests.flatMap(({ id, apiId }) => [id, apiId]))];
  const { rows } = await sql`
    select from ${table("deleted_tests")}
    where organization_id = ${organizationId}::uuid and subject_id = any(${subjects}::uuid[]) limit 1`.execute(
    transaction,
  );
  return rows.length > 0;
}
