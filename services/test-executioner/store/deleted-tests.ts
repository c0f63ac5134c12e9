import { type Kysely, sql, type Transaction } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import type { NewRun } from "./runs.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

/**
 * Recently deleted tests and APIs: a start that read them before the deletion must not leave executions that nothing
 * would delete any more.
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

/** Rows that are too many to delete during the request are deleted later, by whichever process claims them. */
export async function dueDeletions(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${sql.id(schemaName, "deleted_tests")} add column due_at timestamptz`.execute(db);
  await sql`create index deleted_tests_due on ${sql.id(schemaName, "deleted_tests")} (due_at)
    where due_at is not null`.execute(db);
}

/** Longer than a batch of deletions takes, so that only a dead process loses its claim. */
const claimedMilliseconds = 60_000;

/** Far longer than a start takes from reading its tests to its commit. */
const cacheMilliseconds = 60 * 60 * 1_000;

/** For the organization in the statement's `organization_id`. */
const turn = sql`hashtextextended('deleted ' || organization_id, 0)`;

/** Waits for starts of the organization that are about to commit; none begins until the transaction ends. */
export async function holdStarts(transaction: Transaction<ExecutionTables>, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${turn}) from (select ${organizationId}::uuid as organization_id) given`.execute(
    transaction,
  );
}

/**
 * Marks tests, or an API, as deleted; to be committed before their stored data is deleted. Waits for starts of the
 * organization that may have checked already: their rows are deleted with the rest. The caller has a minute to call
 * {@link settleDeletion}, then another process continues.
 */
export async function markDeleted(
  db: ExecutionDatabase,
  organizationId: string,
  subjectIds: string[],
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await holdStarts(transaction, organizationId);
    await sql`delete from ${table("deleted_tests")} where organization_id = ${organizationId}::uuid
      and deleted_at < ${new Date(now.getTime() - cacheMilliseconds)}::timestamptz and due_at is null`.execute(
      transaction,
    );
    await sql`
      insert into ${table("deleted_tests")} (organization_id, subject_id, deleted_at, due_at)
      select ${organizationId}::uuid, subject_id, ${now}::timestamptz, ${claimedUntil(now)}::timestamptz
      from unnest(${subjectIds}::uuid[]) as given(subject_id)
      on conflict do nothing`.execute(transaction);
  });
}

const claimedUntil = (now: Date) => new Date(now.getTime() + claimedMilliseconds);

/** Claims tests or APIs, all of one organization, that may have rows left. */
export async function claimDeletions(
  db: ExecutionDatabase,
  now: Date,
  max: number,
): Promise<{ organizationId: string; subjectIds: string[] } | undefined> {
  const { rows } = await sql<{ organization_id: string; subject_id: string }>`
    with due as (
      select organization_id, subject_id from ${table("deleted_tests")}
      where organization_id = (
        select organization_id from ${table("deleted_tests")} where due_at <= ${now}::timestamptz order by due_at limit 1
      ) and due_at <= ${now}::timestamptz
      order by due_at limit ${max} for update skip locked
    )
    update ${table("deleted_tests")} deleted set due_at = ${claimedUntil(now)}::timestamptz
    from due where deleted.organization_id = due.organization_id and deleted.subject_id = due.subject_id
    returning deleted.organization_id, deleted.subject_id`.execute(db);
  const [first] = rows;
  return first && { organizationId: first.organization_id, subjectIds: rows.map((row) => row.subject_id) };
}

/** Sets when the rest is to be deleted; null if nothing is left. */
export async function settleDeletion(
  db: ExecutionDatabase,
  { organizationId, subjectIds }: { organizationId: string; subjectIds: string[] },
  dueAt: Date | null,
): Promise<void> {
  await db
    .updateTable("deleted_tests")
    .set({ due_at: dueAt })
    .where("organization_id", "=", organizationId)
    .where("subject_id", "=", sql<string>`any(${subjectIds}::uuid[])`)
    .execute();
}

/** Runs with a deleted test, or a test of a deleted API; there will be no more until the transaction has ended. */
export async function listDeleted<Run extends Pick<NewRun, "organizationId" | "executions">>(
  transaction: Transaction<ExecutionTables>,
  runs: Run[],
): Promise<Run[]> {
  const organizationIds = [...new Set(runs.map(({ organizationId }) => organizationId))].sort();
  const getSubjects = ({ executions }: Run) => new Set(executions.flatMap(({ test }) => [test.id, test.apiId]));
  const subjects = runs.flatMap((run) => [...getSubjects(run)]);
  const deleted = await listDeletedSubjects(transaction, organizationIds, subjects);
  if (deleted.size === 0) return [];
  return runs.filter((run) => [...getSubjects(run)].some((subject) => deleted.has(`${run.organizationId} ${subject}`)));
}

/** The same for an API alone. */
export async function isDeleted(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  apiId: string,
): Promise<boolean> {
  return (await listDeletedSubjects(transaction, [organizationId], [apiId])).size > 0;
}

async function listDeletedSubjects(
  transaction: Transaction<ExecutionTables>,
  organizationIds: string[],
  subjects: string[],
): Promise<Set<string>> {
  await sql`select pg_advisory_xact_lock_shared(${turn})
    from unnest(${organizationIds}::uuid[]) as given(organization_id)`.execute(transaction);
  const { rows } = await sql<{ organization_id: string; subject_id: string }>`
    select organization_id, subject_id from ${table("deleted_tests")}
    where organization_id = any(${organizationIds}::uuid[]) and subject_id = any(${subjects}::uuid[])`.execute(
    transaction,
  );
  return new Set(rows.map((row) => `${row.organization_id} ${row.subject_id}`));
}
