import type { z } from "@hono/zod-openapi";
import { type Kysely, sql } from "kysely";
import { type testsOfCredential, testsOfOperation } from "#contracts/test-registry/affected-tests.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { acrossOrganizations } from "../../kit/database/organization-scope.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const tests = sql.id(schemaName, "tests");
const maxNamed = 20;

/** Within a group: the number of tests, and the first by name. */
const firstOfGroup = sql`count(*)::int as total,
  to_json((array_agg(json_build_object('id', id, 'apiId', api_id, 'name', name)
    order by lower(name) collate "C", id))[1:${sql.lit(maxNamed)}]) as items`;

export async function listTestsOfOperations(
  db: TestDatabase,
  organizationId: string,
  apiId: string,
  operations: { method: string; path: string }[],
): Promise<z.infer<typeof testsOfOperation>[]> {
  const toKey = ({ method, path }: { method: string; path: string }) => `${method.toLowerCase()} ${path}`;
  const wanted = new Set(operations.map(toKey));
  // PostgreSQL's text has no NUL, so no test can have such a path.
  const paths = [...new Set(operations.map(({ path }) => path))].filter((path) => !path.includes("\u0000"));
  const { rows } = await sql`
    select lower(method) as method, path, ${firstOfGroup} from ${tests}
    where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid and path = any(${paths}::text[])
    group by lower(method), path`.execute(db);
  return testsOfOperation
    .array()
    .parse(rows)
    .filter((row) => wanted.has(toKey(row)));
}

interface UsedCredential {
  credential_id: string;
  total: number;
  /** The first by name. */
  test_ids: string[];
}

/**
 * Row-level security would not let the index of credentials be used, because `&&` is not leakproof. So this returns
 * numbers and ids; the named rows are read as the organization's, and without a row nothing is returned.
 */
async function findTestsOfCredentials(db: TestDatabase, organizationId: string, credentialIds: string[]) {
  const { rows } = await acrossOrganizations(() =>
    sql<UsedCredential>`
      select credential_id, count(*)::int as total,
        (array_agg(id order by lower(name) collate "C", id))[1:${sql.lit(maxNamed)}] as test_ids
      from ${tests}, unnest(named_credentials) as credential_id
      where organization_id = ${organizationId}::uuid and named_credentials && ${credentialIds}::uuid[]
        and credential_id = any(${credentialIds}::uuid[])
      group by credential_id`.execute(db),
  );
  return rows;
}

export async function listTestsOfCredentials(
  db: TestDatabase,
  organizationId: string,
  credentialIds: string[],
): Promise<z.infer<typeof testsOfCredential>[]> {
  const found = await findTestsOfCredentials(db, organizationId, credentialIds);
  if (found.length === 0) return [];
  const ids = found.flatMap(({ test_ids }) => test_ids);
  const rows = await db
    .selectFrom("tests")
    .select(["id", "api_id as apiId", "name"])
    .where("organization_id", "=", organizationId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  const named = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap(({ credential_id, total, test_ids }) => {
    const items = test_ids.flatMap((id) => named.get(id) ?? []);
    return items.length > 0 ? [{ credentialId: credential_id, total, items }] : [];
  });
}

/**
 * Credentials by their locations in a definition, read from its text: PostgreSQL's JSON operators refuse a NUL or a
 * lone surrogate, which a body may contain. Quotes within a value are escaped, so no text can be mistaken for the
 * member.
 */
export async function addNamedCredentials(db: Kysely<AnyTables>): Promise<void> {
  const uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
  const named = sql.id(schemaName, "named_credentials");
  await sql`
    create function ${named}(definition json) returns uuid[] language sql immutable as $$
      select array(
        select distinct (found[1])::uuid
        from regexp_matches(definition::text, ${sql.lit(`"credentialId":"(${uuid})"`)}, 'g') as found
      )
    $$`.execute(db);
  await sql`
    alter table ${tests} add column named_credentials uuid[]
      generated always as (${named}(definition)) stored`.execute(db);
  await sql`create index tests_credentials on ${tests} using gin (named_credentials)`.execute(db);
}
