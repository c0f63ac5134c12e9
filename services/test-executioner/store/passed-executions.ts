import { sql } from "kysely";
import { type ExecutionDatabase, table } from "./tables.ts";

export interface PassedExecution {
  id: string;
  run_id: string;
  test_id: string;
  test_version: number;
  api_id: string;
  method: string;
  path: string;
  status_code: number | null;
  row_index: number | null;
  /** JSON of the run's surroundings. */
  surroundings: string;
}

/** The newest passed executions of a test. */
export async function listPassed(
  db: ExecutionDatabase,
  organizationId: string,
  testId: string,
  max: number,
): Promise<PassedExecution[]> {
  const { rows } = await sql<PassedExecution>`
    select passed.*, run.surroundings from (
      select id, run_id, test_id, test_version, api_id, method, path, status_code, row_index
      from ${table("executions")}
      where organization_id = ${organizationId}::uuid and test_id = ${testId}::uuid and verdict = 'passed'
      order by id desc limit ${max}
    ) passed
    join ${table("runs")} run on run.id = passed.run_id and run.organization_id = ${organizationId}::uuid
    order by passed.id desc`.execute(db);
  return rows;
}

/** After so many compared responses it is known well enough what varies. */
export const enoughCompared = 3;

/** An API's document in a run. */
export interface DocumentOfRun {
  runId: string;
  apiId: string;
  documentId: string;
}

/**
 * Tests with a passed execution in these runs that were not measured in this version, with this document, or with
 * enough earlier responses.
 */
export async function listUnmeasured(
  db: ExecutionDatabase,
  organizationId: string,
  documents: readonly DocumentOfRun[],
  max: number,
): Promise<string[]> {
  if (documents.length === 0) return [];
  const { rows } = await sql<{ test_id: string }>`
    select distinct execution.test_id
    from unnest(
      ${documents.map(({ runId }) => runId)}::uuid[],
      ${documents.map(({ apiId }) => apiId)}::uuid[],
      ${documents.map(({ documentId }) => documentId)}::text[]
    ) as used(run_id, api_id, document_id)
    join ${table("executions")} execution on execution.run_id = used.run_id and execution.api_id = used.api_id
    left join ${table("test_notices")} known
      on known.organization_id = ${organizationId}::uuid and known.test_id = execution.test_id
    where execution.organization_id = ${organizationId}::uuid and execution.verdict = 'passed'
      and (known.test_id is null or execution.id > known.execution_id and (
        known.test_version < execution.test_version or known.document_id <> used.document_id
        or known.compared < ${enoughCompared}))
    order by execution.test_id limit ${max}`.execute(db);
  return rows.map((row) => row.test_id);
}

/** Of these runs, which document each API had. */
export async function listDocuments(
  db: ExecutionDatabase,
  organizationId: string,
  runIds: readonly string[],
): Promise<{ id: string; surroundings: string }[]> {
  if (runIds.length === 0) return [];
  return await db
    .selectFrom("runs")
    .select(["id", "surroundings"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${runIds}::uuid[])`)
    .execute();
}
