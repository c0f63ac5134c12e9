import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { AnyTables } from "../../kit/database/database.ts";
import { failureVerdicts } from "../domain/verdict.ts";
import type { NewRun } from "./runs.ts";
import { table } from "./tables.ts";

/** How often a day (UTC) a failed test, or a row of it, is repeated without counting against the plan. */
const freeRepetitionsPerDay = 10;

/** Adds the number of free repetitions of a test's last day with any. */
export async function addFreeRepetitions(db: Kysely<AnyTables>): Promise<void> {
  await sql`alter table ${table("last_verdicts")} add column free_day date,
    add column free_repetitions integer not null default 0`.execute(db);
}

interface Subject {
  testId: string;
  rowIndex: number | null;
}

const dataRowOf = ({ rowIndex }: Subject) => (rowIndex === null ? 0 : rowIndex + 1);

/**
 * Counts one free repetition of each of these tests that failed last and has some left today.
 * @returns takes one of the granted repetitions; false if there is none for this test
 */
async function grantFreeRepetitions(
  db: QueryExecutorProvider,
  organizationId: string,
  subjects: Subject[],
  now: Date,
): Promise<(subject: Subject) => boolean> {
  const keyOf = (one: Subject) => `${one.testId} ${dataRowOf(one)}`;
  const distinct = [...new Map(subjects.map((one) => [keyOf(one), one])).values()];
  const { rows } = await sql<{ key: string }>`
    with repeatable as (
      select last.test_id, last.data_row
      from ${table("last_verdicts")} last
      join unnest(
        ${distinct.map(({ testId }) => testId)}::uuid[], ${distinct.map(dataRowOf)}::int[]
      ) as given(test_id, data_row) using (test_id, data_row)
      where last.organization_id = ${organizationId}::uuid and last.verdict = any(${failureVerdicts}::text[])
      order by last.test_id, last.data_row for update of last
    )
    update ${table("last_verdicts")} last
    set free_day = given.day,
      free_repetitions = case when last.free_day = given.day then last.free_repetitions else 0 end + 1
    from repeatable, (select ${now.toISOString().slice(0, "2026-04-30".length)}::date as day) given
    where last.organization_id = ${organizationId}::uuid
      and last.test_id = repeatable.test_id and last.data_row = repeatable.data_row
      and (last.free_day is distinct from given.day or last.free_repetitions < ${freeRepetitionsPerDay})
    returning last.test_id || ' ' || last.data_row as key`.execute(db);
  const granted = new Set(rows.map(({ key }) => key));
  return (subject) => granted.delete(keyOf(subject));
}

/** A run whose free repetitions do not count against the plan. They are returned if the transaction is rolled back. */
export async function withFreeRepetitions(transaction: QueryExecutorProvider, run: NewRun): Promise<NewRun> {
  const subjects = run.executions.map(({ test, rowIndex }) => ({ testId: test.id, rowIndex }));
  const isFree = await grantFreeRepetitions(transaction, run.organizationId, subjects, run.queuedAt);
  return {
    ...run,
    executions: run.executions.map((execution, index) => ({
      ...execution,
      reserves: execution.reserves && !isFree(subjects[index]!),
    })),
  };
}
