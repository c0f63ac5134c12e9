import { z } from "@hono/zod-openapi";
import { type Kysely, sql } from "kysely";
import {
  type ApiNotices,
  missedChange,
  type NoticesSummary,
  responseChange,
  type TestNotices,
} from "#contracts/test-executioner/notices.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";

/** What each test would notice, with the changes that it would miss. One row a test, so that lists only read. */
export async function createTestNotices(db: Kysely<AnyTables>): Promise<void> {
  await sql`
    create table ${sql.id(schemaName, "test_notices")} (
      organization_id uuid not null,
      test_id uuid not null,
      api_id uuid not null,
      method text not null,
      path text not null,
      test_version integer not null,
      document_id text not null,
      execution_id uuid not null,
      compared integer not null,
      state text not null,
      changes integer not null,
      noticed integer not null,
      findings text not null,
      found_at timestamptz not null,
      primary key (organization_id, test_id)
    )`.execute(db);
  await sql`create index test_notices_api on ${sql.id(schemaName, "test_notices")} (organization_id, api_id)`.execute(
    db,
  );
}

const findings = z.object({
  schemaVersion: z.literal(1),
  /** The version of the test that was judged: the executed one if the current one sends another request. */
  testVersion: z.number(),
  noticedChanges: z.array(responseChange),
  missedChanges: z.array(missedChange),
  leftOut: z.number(),
  setAside: z.number(),
});
export type Findings = Omit<z.infer<typeof findings>, "schemaVersion">;

export const noFindings: Omit<Findings, "testVersion"> = {
  noticedChanges: [],
  missedChanges: [],
  leftOut: 0,
  setAside: 0,
};

export function writeFindings(found: Findings): string {
  return JSON.stringify({ schemaVersion: 1, ...found } satisfies z.infer<typeof findings>);
}

export type NoticesRow = ExecutionTables["test_notices"];

export function toTestNotices(row: NoticesRow): TestNotices {
  const { schemaVersion: _, ...found } = findings.parse(JSON.parse(row.findings));
  return { ...toCounts(row), state: row.state, executionId: row.execution_id, ...found };
}

function toCounts(row: NoticesRow) {
  const { test_id: testId, changes, noticed } = row;
  const cannotFail = row.state === "found" && changes > 0 && noticed === 0;
  return { testId, changes, noticed, cannotFail, foundAt: row.found_at.toISOString() };
}

export async function findNoticesRow(
  db: ExecutionDatabase,
  organizationId: string,
  testId: string,
): Promise<NoticesRow | undefined> {
  return await db
    .selectFrom("test_notices")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("test_id", "=", testId)
    .executeTakeFirst();
}

/** Stores what was found, unless the test's executions have been deleted meanwhile. */
export async function storeNotices(db: ExecutionDatabase, row: NoticesRow): Promise<void> {
  await sql`
    insert into ${table("test_notices")} (organization_id, test_id, api_id, method, path, test_version, document_id,
      execution_id, compared, state, changes, noticed, findings, found_at)
    select organization_id, test_id, ${row.api_id}::uuid, ${row.method}, ${row.path}, ${row.test_version}::int,
      ${row.document_id}, ${row.execution_id}::uuid, ${row.compared}::int, ${row.state}, ${row.changes}::int,
      ${row.noticed}::int, ${row.findings}, ${row.found_at}::timestamptz
    from ${table("latest_executions")}
    where organization_id = ${row.organization_id}::uuid and test_id = ${row.test_id}::uuid
    for key share
    on conflict (organization_id, test_id) do update set
      api_id = excluded.api_id, method = excluded.method, path = excluded.path, test_version = excluded.test_version,
      document_id = excluded.document_id, execution_id = excluded.execution_id, compared = excluded.compared,
      state = excluded.state, changes = excluded.changes, noticed = excluded.noticed, findings = excluded.findings,
      found_at = excluded.found_at`.execute(db);
}

export async function listNoticesOfTests(
  db: ExecutionDatabase,
  organizationId: string,
  testIds: readonly string[],
): Promise<NoticesSummary[]> {
  const rows = await db
    .selectFrom("test_notices")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("test_id", "=", sql<string>`any(${testIds}::uuid[])`)
    .where("state", "=", "found")
    .execute();
  return rows.map(toCounts);
}

interface SumRow {
  method: string;
  path: string;
  tests: number;
  changes: number;
  noticed: number;
  cannot_fail: number;
  since: Date;
}

/** Of the enabled tests of an API. */
export async function sumNotices(db: ExecutionDatabase, organizationId: string, apiId: string): Promise<ApiNotices> {
  const { rows } = await sql<SumRow>`
    select method, path, count(*)::int as tests, sum(changes)::int as changes, sum(noticed)::int as noticed,
      count(*) filter (where noticed = 0 and changes > 0)::int as cannot_fail, min(found_at) as since
    from ${table("test_notices")} notices
    where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid and state = 'found'
      and not exists (select from ${table("latest_executions")} latest
        where latest.organization_id = ${organizationId}::uuid and latest.test_id = notices.test_id and latest.disabled)
    group by method, path order by path, method`.execute(db);
  const sum = (read: (row: SumRow) => number) => rows.reduce((total, row) => total + read(row), 0);
  const times = rows.map(({ since }) => since.getTime());
  return {
    tests: sum(({ tests }) => tests),
    changes: sum(({ changes }) => changes),
    noticed: sum(({ noticed }) => noticed),
    cannotFail: sum((row) => row.cannot_fail),
    since: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    operations: rows.map(({ cannot_fail: cannotFail, since: _, ...row }) => ({ ...row, cannotFail })),
  };
}

/** Of an organization, those whose execution's response is no longer stored: they quote from it. */
export async function deleteNoticesBefore(
  db: Kysely<ExecutionTables>,
  organizationId: string,
  firstId: string,
): Promise<void> {
  await db
    .deleteFrom("test_notices")
    .where("organization_id", "=", organizationId)
    .where("execution_id", "<", firstId)
    .execute();
}
