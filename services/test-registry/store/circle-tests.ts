import { sql } from "kysely";
import type { CircleMember } from "../contract/circle-members.ts";
import type { ChoosableTest } from "../domain/circle-members.ts";
import { schemaName, type TestDatabase, type TestTransaction } from "./tables.ts";
import { readTest, type TestRow } from "./tests.ts";

export interface CircleTest extends ChoosableTest {
  path: string;
}

const tests = sql.id(schemaName, "tests");

/** Every test that members name or may select, without its definition. */
export async function listTestsOfMembers(
  db: TestDatabase,
  organizationId: string,
  members: CircleMember[],
): Promise<CircleTest[]> {
  const testIds = members.flatMap((member) => (member.kind === "test" ? [member.testId] : []));
  const apiIds = members.flatMap((member) => (member.kind === "selection" ? [member.apiId] : []));
  const columns = sql`id, api_id as "apiId", name, method, path, enabled, tags`;
  const { rows } = await sql<CircleTest>`
    select ${columns} from ${tests}
    where organization_id = ${organizationId}::uuid and id = any(${testIds}::uuid[])
    union all
    select ${columns} from ${tests}
    where organization_id = ${organizationId}::uuid and api_id = any(${apiIds}::uuid[]) and enabled`.execute(db);
  return rows;
}

/**
 * The APIs of tests that are there, by test. Until the transaction ends none of them can be deleted: whoever deletes one
 * afterwards finds the members that name it.
 */
export async function holdTests(
  transaction: TestTransaction,
  organizationId: string,
  testIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; api_id: string }>`
    select id, api_id from ${tests}
    where organization_id = ${organizationId}::uuid and id = any(${testIds}::uuid[])
    order by id for key share`.execute(transaction);
  return new Map(rows.map((row) => [row.id, row.api_id]));
}

/** Whole tests, by id. */
export async function readTests(
  db: TestDatabase,
  organizationId: string,
  testIds: string[],
): Promise<Map<string, TestRow>> {
  const rows = await db
    .selectFrom("tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${[...new Set(testIds)]}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, readTest(row)]));
}

/** How many executions a run of these tests has, those named twice counted twice: one a test, or one a row of its data. */
export async function countExecutions(db: TestDatabase, organizationId: string, testIds: string[]): Promise<number> {
  const { rows } = await sql<{ executions: number }>`
    select coalesce(sum(greatest(1, json_array_length(definition -> 'data'))), 0)::int as executions
    from unnest(${testIds}::uuid[]) as given(id) join ${tests} test on test.id = given.id
    where organization_id = ${organizationId}::uuid`.execute(db);
  return rows[0]!.executions;
}
