import { type RawBuilder, sql } from "kysely";
import {
  type LackingTests,
  type LackingTotal,
  lackingTests,
  lackingTotal,
  maxReturnedNames,
} from "#contracts/test-registry/lacking-tests.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const tests = sql.id(schemaName, "tests");
const circles = sql.id(schemaName, "test_circles");
const members = sql.id(schemaName, "test_circle_members");

interface ApiLocation {
  organizationId: string;
  apiId: string;
}

// PostgreSQL's text has no NUL, so no test has such a path or references such a name.
const stored = (texts: readonly string[]) => [...new Set(texts)].filter((text) => !text.includes("\u0000"));

/** The given names, what tests of the API capture, and what circles that run them define or capture. */
export async function listDefinedNames(
  db: TestDatabase,
  { organizationId, apiId }: ApiLocation,
  given: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with of_api as (
      select distinct circle_id from ${members}
      where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid
    )
    select unnest(captured_names) as name from ${tests}
    where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid and captured_names <> '{}'
    union
    select unnest(test.captured_names) from of_api
    join ${members} member on member.organization_id = ${organizationId}::uuid and member.circle_id = of_api.circle_id
    join ${tests} test on test.organization_id = ${organizationId}::uuid and test.id = member.test_id
    where test.captured_names <> '{}'
    union
    select variable->>'name' from of_api
    join ${circles} circle on circle.organization_id = ${organizationId}::uuid and circle.id = of_api.circle_id,
      jsonb_array_elements(circle.variables) as variable`.execute(db);
  return stored([...given, ...rows.map(({ name }) => name)]);
}

/** A test with data rows captures `bookId#` as `bookId1`, `bookId2` and so on. */
const isUndefined = (defined: readonly string[]) => sql`asked <> all(${defined}::text[])
  and regexp_replace(asked, '[0-9]+$', '#') <> all(${defined}::text[])`;

const firstNames = sql`to_json((array_agg(distinct asked collate "C"))[1:${sql.lit(maxReturnedNames)}]) as names`;

const ofTests = ({ organizationId, apiId }: ApiLocation, defined: readonly string[]): RawBuilder<unknown> => sql`
  from ${tests}, unnest(asked_names) as asked
  where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid and ${isUndefined(defined)}`;

/** For each operation that has any: enabled tests that reference a name which is not defined. */
export async function countLackingTests(
  db: TestDatabase,
  location: ApiLocation,
  operations: readonly { method: string; path: string }[],
  defined: readonly string[],
): Promise<LackingTests[]> {
  if (operations.length === 0) return [];
  const toKey = ({ method, path }: { method: string; path: string }) => `${method.toLowerCase()} ${path}`;
  const wanted = new Set(operations.map(toKey));
  const { rows } = await sql`
    select lower(method) as method, path, count(distinct id)::int as total, ${firstNames}
    ${ofTests(location, defined)} and enabled and path = any(${stored(operations.map(({ path }) => path))}::text[])
    group by lower(method), path`.execute(db);
  return lackingTests
    .array()
    .parse(rows)
    .filter((row) => wanted.has(toKey(row)));
}

/** Of all operations of the API. */
export async function countAllLackingTests(
  db: TestDatabase,
  location: ApiLocation,
  defined: readonly string[],
): Promise<LackingTotal> {
  const { rows } = await sql`
    select count(distinct (lower(method), path))::int as operations, count(distinct id)::int as tests,
      coalesce(to_json((array_agg(distinct asked collate "C"))[1:${sql.lit(maxReturnedNames)}]), '[]'::json) as names
    ${ofTests(location, defined)} and enabled`.execute(db);
  return lackingTotal.parse(rows[0]);
}

/** Undefined names of each of these tests that has any. */
export async function listLackingValues(
  db: TestDatabase,
  location: ApiLocation,
  testIds: readonly string[],
  defined: readonly string[],
): Promise<{ testId: string; names: string[] }[]> {
  if (testIds.length === 0) return [];
  const { rows } = await sql<{ testId: string; names: string[] }>`
    select id as "testId", ${firstNames}
    ${ofTests(location, defined)} and id = any(${testIds}::uuid[]) group by id`.execute(db);
  return rows;
}
