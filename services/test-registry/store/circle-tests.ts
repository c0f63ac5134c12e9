import { sql } from "kysely";
import type { CircleMember } from "#contracts/test-registry/circle-members.ts";
import type { ChoosableTest } from "../domain/circle-members.ts";
import { parseTags } from "./definitions.ts";
import { schemaName, type TestDatabase, type TestTransaction } from "./tables.ts";
import { readTest, type StoredRow, type TestRow } from "./tests.ts";

export interface CircleTest extends ChoosableTest {
  path: string;
}

const tests = sql.id(schemaName, "tests");

/** Every test that members of these circles name or may select, without its definition. */
export async function listTestsOfMembers(
  db: TestDatabase,
  circles: { organizationId: string; members: CircleMember[] }[],
): Promise<CircleTest[]> {
  const all = circles.flatMap(({ organizationId, members }) => members.map((member) => ({ organizationId, member })));
  const named = all.flatMap(({ organizationId, member }) =>
    member.kind === "test" ? [{ organizationId, id: member.testId }] : [],
  );
  const selected = all.flatMap(({ organizationId, member }) =>
    member.kind === "selection" ? [{ organizationId, id: member.apiId }] : [],
  );
  const columns = sql`test.id, test.api_id as "apiId", test.name, test.method, test.path, test.enabled, test.tags`;
  const { rows } = await sql<Omit<CircleTest, "tags"> & { tags: unknown }>`
    select ${columns} from (select distinct * from ${ownedIds(named)}) named
    join ${tests} test on test.organization_id = named.organization_id and test.id = named.id
    union all
    select ${columns} from (select distinct * from ${ownedIds(selected)}) selected
    join ${tests} test on test.organization_id = selected.organization_id and test.api_id = selected.id
    where test.enabled`.execute(db);
  return rows.map((row) => ({ ...row, tags: parseTags(row.tags) }));
}

function ownedIds(ids: { organizationId: string; id: string }[]) {
  return sql`unnest(
    ${ids.map(({ organizationId }) => organizationId)}::uuid[], ${ids.map(({ id }) => id)}::uuid[]
  ) as owned(organization_id, id)`;
}

/**
 * The APIs of existing tests, by test. They are locked until the transaction ends: a later deletion finds the members
 * that name them.
 */
export async function lockTests(
  transaction: TestTransaction,
  organizationId: string,
  testIds: string[],
): Promise<Map<string, { apiId: string; method: string }>> {
  const { rows } = await sql<{ id: string; api_id: string; method: string }>`
    select id, api_id, method from ${tests}
    where organization_id = ${organizationId}::uuid and id = any(${testIds}::uuid[])
    order by id for key share`.execute(transaction);
  return new Map(rows.map(({ id, api_id: apiId, method }) => [id, { apiId, method }]));
}

/** Whole tests, by id. */
export async function readTests(
  db: TestDatabase,
  requested: { organizationId: string; id: string }[],
): Promise<Map<string, TestRow>> {
  const { rows } = await sql<StoredRow>`
    select test.* from (select distinct * from ${ownedIds(requested)}) asked
    join ${tests} test on test.organization_id = asked.organization_id and test.id = asked.id`.execute(db);
  return new Map(rows.map((row) => [row.id, readTest(row)]));
}

/** Number of executions in a run of these tests, duplicates included: one per test, or one per row of its data. */
export async function countExecutions(db: TestDatabase, organizationId: string, testIds: string[]): Promise<number> {
  const { rows } = await sql<{ executions: number }>`
    select coalesce(sum(greatest(1, json_array_length(definition -> 'data'))), 0)::int as executions
    from unnest(${testIds}::uuid[]) as given(id) join ${tests} test on test.id = given.id
    where organization_id = ${organizationId}::uuid`.execute(db);
  return rows[0]!.executions;
}
