import { type Selectable, type SqlBool, sql } from "kysely";
import { json } from "../../kit/database/database.ts";
import { definitionVersion, parseDefinition, parseTags, type TestDefinition } from "./definitions.ts";
import { schemaName, type TestDatabase, type TestTables, type TestTransaction } from "./tables.ts";

export type StoredRow = Selectable<TestTables["tests"]>;
export type TestRow = Omit<
  StoredRow,
  | "tags"
  | "definition"
  | "definition_version"
  | "named_credentials"
  | "named_files"
  | "asked_names"
  | "captured_names"
  | "name_key"
  | "moved_by"
> & {
  tags: string[];
  definition: TestDefinition;
};
type Owned = { organizationId: string; testId: string };

/** Encoding of tags and definition. */
function written({ tags, definition }: Pick<TestRow, "tags" | "definition">) {
  return {
    tags: json(tags),
    definition: sql<unknown>`cast(${JSON.stringify(definition)} as json)`,
    definition_version: definitionVersion,
  };
}

export function readTest(row: StoredRow): TestRow;
export function readTest(row: StoredRow | undefined): TestRow | undefined;
export function readTest(row: StoredRow | undefined): TestRow | undefined {
  if (!row) return undefined;
  const {
    definition_version,
    named_credentials,
    named_files,
    asked_names,
    captured_names,
    name_key,
    moved_by,
    ...columns
  } = row;
  return { ...columns, tags: parseTags(row.tags), definition: parseDefinition(row) };
}

export async function insertTest(db: TestDatabase, row: TestRow): Promise<void> {
  await insertTests(db, [row]);
}

export async function insertTests(db: TestDatabase, rows: readonly TestRow[]): Promise<void> {
  await db
    .insertInto("tests")
    .values(rows.map((row) => ({ ...row, ...written(row) })))
    .execute();
}

export async function findTest(db: TestDatabase, { organizationId, testId }: Owned): Promise<TestRow | undefined> {
  const row = await db
    .selectFrom("tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", testId)
    .executeTakeFirst();
  return readTest(row);
}

/** Whether an API has any tests. */
export async function hasTests(db: TestDatabase, organizationId: string, apiId: string): Promise<boolean> {
  const tests = db.selectFrom("tests").where("organization_id", "=", organizationId).where("api_id", "=", apiId);
  return (await tests.select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** The existing ones, by id. */
export async function findTests(db: TestDatabase, organizationId: string, testIds: string[]): Promise<TestRow[]> {
  const rows = await db
    .selectFrom("tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(sql<SqlBool>`id = any(${testIds}::uuid[])`)
    .orderBy("id")
    .execute();
  return rows.map((row) => readTest(row));
}

/** More tests than these are not compared by name before an import; the transaction compares them all. */
const maxNames = 20_000;

/** What identifies the tests of an API to a reader. */
export async function listNames(
  db: TestDatabase,
  organizationId: string,
  apiId: string,
): Promise<Pick<TestRow, "id" | "name" | "method" | "path">[]> {
  return await db
    .selectFrom("tests")
    .select(["id", "name", "method", "path"])
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .orderBy("id")
    .limit(maxNames)
    .execute();
}

/** Another transaction that calls this for the same API waits for the end of this one. */
async function lockOperations(transaction: TestTransaction, apiId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${apiId}, 7207))`.execute(transaction);
}

/** Tests of an API on these paths that have one of these names, the oldest first. Locks the API's operations. */
export async function lockNamedTests(
  transaction: TestTransaction,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  named: readonly { path: string; name: string }[],
): Promise<Pick<TestRow, "id" | "name" | "method" | "path">[]> {
  await lockOperations(transaction, apiId);
  return await transaction
    .selectFrom("tests")
    .select(["id", "name", "method", "path"])
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where(sql<SqlBool>`path = any(${named.map(({ path }) => path)}::text[])`)
    .where(sql<SqlBool>`name = any(${named.map(({ name }) => name)}::text[])`)
    .orderBy("id")
    .execute();
}

/** Operations of an API that have a test. Locks the API's operations. */
export async function lockTestedOperations(
  transaction: TestTransaction,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  operations: readonly { method: string; path: string }[],
): Promise<{ method: string; path: string }[]> {
  await lockOperations(transaction, apiId);
  return await transaction
    .selectFrom("tests")
    .select(["method", "path"])
    .distinct()
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where(sql<SqlBool>`path = any(${operations.map(({ path }) => path)}::text[])`)
    .execute();
}

/**
 * Replaces the row and increments its version, in one statement; undefined when it is absent or has none of the
 * versions.
 */
export async function updateTest(
  db: TestDatabase,
  row: Omit<TestRow, "version" | "created_at" | "api_id">,
  versions: number[] | undefined,
): Promise<TestRow | undefined> {
  const { id, organization_id, tags, definition, ...columns } = row;
  let update = db
    .updateTable("tests")
    .set((expression) => ({
      ...columns,
      ...written({ tags, definition }),
      version: expression("version", "+", 1),
    }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return readTest(await update.returningAll().executeTakeFirst());
}

type ChangedTest = Pick<TestRow, "id" | "organization_id" | "api_id" | "name" | "enabled">;

/** Replaces rows and increments their versions, in one statement. @returns the existing ones */
export async function updateTests(
  db: TestDatabase,
  organizationId: string,
  rows: readonly Omit<TestRow, "version" | "created_at" | "api_id">[],
): Promise<ChangedTest[]> {
  const column = <Value>(read: (row: (typeof rows)[number]) => Value) => rows.map(read);
  const { rows: updated } = await sql<ChangedTest>`
    update ${sql.id(schemaName, "tests")} test set name = given.name, method = given.method, path = given.path,
      enabled = given.enabled, tags = given.tags::jsonb, definition = given.definition::json,
      definition_version = ${definitionVersion}::int, updated_at = given.updated_at, version = test.version + 1
    from unnest(
      ${column(({ id }) => id)}::uuid[], ${column(({ name }) => name)}::text[],
      ${column(({ method }) => method)}::text[], ${column(({ path }) => path)}::text[],
      ${column(({ enabled }) => enabled)}::boolean[], ${column(({ tags }) => JSON.stringify(tags))}::text[],
      ${column(({ definition }) => JSON.stringify(definition))}::text[],
      ${column(({ updated_at }) => updated_at)}::timestamptz[]
    ) as given(id, name, method, path, enabled, tags, definition, updated_at)
    where test.organization_id = ${organizationId}::uuid and test.id = given.id
    returning test.id, test.organization_id, test.api_id, test.name, test.enabled`.execute(db);
  return updated;
}

/** The deleted row; undefined when there was none, or it has none of the versions. */
export async function removeTest(
  db: TestDatabase,
  { organizationId, testId }: Owned,
  versions: number[] | undefined,
): Promise<TestRow | undefined> {
  let removal = db.deleteFrom("tests").where("organization_id", "=", organizationId).where("id", "=", testId);
  if (versions) removal = removal.where(sql<SqlBool>`version = any(${versions}::int[])`);
  return readTest(await removal.returningAll().executeTakeFirst());
}

/** @returns the deleted ids */
export async function removeTestsOfApi(db: TestDatabase, organizationId: string, apiId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom("tests")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** The named ones of an API. @returns the deleted rows */
export async function removeTests(
  db: TestDatabase,
  organizationId: string,
  { apiId, testIds }: { apiId: string; testIds: string[] },
): Promise<TestRow[]> {
  const rows = await db
    .deleteFrom("tests")
    .where("organization_id", "=", organizationId)
    .where("api_id", "=", apiId)
    .where("id", "=", sql<string>`any(${testIds}::uuid[])`)
    .returningAll()
    .execute();
  return rows.map((row) => readTest(row));
}

/** The named ones, of any API. @returns the deleted ones */
export async function removeTestsByIds(
  db: TestDatabase,
  organizationId: string,
  testIds: string[],
): Promise<{ id: string; api_id: string }[]> {
  return await db
    .deleteFrom("tests")
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${testIds}::uuid[])`)
    .returning(["id", "api_id"])
    .execute();
}
