import { type Kysely, sql, type Transaction } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import type { NewRun } from "./runs.ts";
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

/** Of the organization that the statement calls so. */
const turn = sql`hashtextextended('deleted ' || organization_id, 0)`;

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
    await sql`select pg_advisory_xact_lock(${turn}) from (select ${organizationId}::uuid as organization_id) given`.execute(
      transaction,
    );
    await sql`delete from ${table("deleted_tests")} where organization_id = ${organizationId}::uuid
      and deleted_at < ${new Date(now.getTime() - keptMilliseconds)}::timestamptz`.execute(transaction);
    await sql`
      insert into ${table("deleted_tests")} (organization_id, subject_id, deleted_at)
      select ${organizationId}::uuid, subject_id, ${now}::timestamptz from unnest(${subjectIds}::uuid[]) as given(subject_id)
      on conflict do nothing`.execute(transaction);
  });
}

/** Runs with a test that was deleted, or whose API was; none is any more until the transaction has ended. */
export async function listDeleted<Run extends Pick<NewRun, "organizationId" | "executions">>(
  transaction: Transaction<ExecutionTables>,
  runs: Run[],
): Promise<Run[]> {
  const organizationIds = [...new Set(runs.map(({ organizationId }) => organizationId))].sort();
  await sql`select pg_advisory_xact_lock_shared(${turn})
    from unnest(${organizationIds}::uuid[]) as given(organization_id)`.execute(transaction);
  const subjectsOf = ({ executions }: Run) => new Set(executions.flatMap(({ test }) => [test.id, test.apiId]));
  const subjects = runs.flatMap((run) => [...subjectsOf(run)]);
  const { rows } = await sql<{ organization_id: string; subject_id: string }>`
    select organization_id, subject_id from ${table("deleted_tests")}
    where organization_id = any(${organizationIds}::uuid[]) and subject_id = any(${subjects}::uuid[])`.execute(
    transaction,
  );
  const deleted = new Set(rows.map((row) => `${row.organization_id} ${row.subject_id}`));
  if (deleted.size === 0) return [];
  return runs.filter((run) => [...subjectsOf(run)].some((subject) => deleted.has(`${run.organizationId} ${subject}`)));
}
