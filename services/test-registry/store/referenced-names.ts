import { type Kysely, sql } from "kysely";
import { type LackingTests, lackingTests, maxReturnedNames } from "#contracts/test-registry/lacking-tests.ts";
import { generatedNames } from "#libraries/template/placeholders.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName, type TestDatabase } from "./tables.ts";

const tests = sql.id(schemaName, "tests");

/** For each operation that has any: enabled tests that reference a name which is not given. */
export async function countLackingTests(
  db: TestDatabase,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  operations: readonly { method: string; path: string }[],
  given: readonly string[],
): Promise<LackingTests[]> {
  const toKey = ({ method, path }: { method: string; path: string }) => `${method.toLowerCase()} ${path}`;
  const wanted = new Set(operations.map(toKey));
  // PostgreSQL's text has no NUL, so no test has such a path or references such a name.
  const stored = (texts: readonly string[]) => [...new Set(texts)].filter((text) => !text.includes("\u0000"));
  const { rows } = await sql`
    select lower(method) as method, path, count(distinct id)::int as total,
      to_json((array_agg(distinct asked collate "C"))[1:${sql.lit(maxReturnedNames)}]) as names
    from ${tests}, unnest(asked_names) as asked
    where organization_id = ${organizationId}::uuid and api_id = ${apiId}::uuid and enabled
      and path = any(${stored(operations.map(({ path }) => path))}::text[]) and asked <> all(${stored(given)}::text[])
    group by lower(method), path`.execute(db);
  return lackingTests
    .array()
    .parse(rows)
    .filter((row) => wanted.has(toKey(row)));
}

/**
 * Names that a test references as `{{name}}` and its own data rows do not give, as the portal finds them in one test. A
 * generated column, so that tests written by a version running in parallel have them too. Escapes are removed first:
 * PostgreSQL's JSON functions refuse a NUL or a lone surrogate, which a body may contain, and no name has any.
 */
export async function addReferencedNames(db: Kysely<AnyTables>): Promise<void> {
  const requested = sql.id(schemaName, "asked_names");
  const generated = sql.join(generatedNames.map((name) => sql.lit(name)));
  // An escaped backslash remains. Other escapes get a placeholder, so that the text around them does not form a name.
  const escapes = sql.lit(String.raw`(\\\\)|\\u[0-9a-fA-F]{4}`);
  const without = sql.lit(String.raw`\1?`);
  const placeholder = sql.lit(String.raw`\{\{\s*(\$?[A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}`);
  await sql`
    create function ${requested}(definition json) returns text[] language sql immutable as $$
      with of as (
        select read, read->'request' as request, read->'request'->'body' as body
        from (select regexp_replace(definition::text, ${escapes}, ${without}, 'g')::json as read) as cleaned
      ), pairs as (
        select json_array_elements(list) as pair from of, unnest(array[request->'pathParameters', request->'query',
          request->'headers', request->'cookies', body->'fields', body->'parts']) as list
      ), texts as (
        select (request->'baseUrl')::text as piece from of
        union all select pair::text from pairs where coalesce(pair->>'enabled', 'true') <> 'false'
        union all select body::text from of where body->>'kind' not in ('form', 'multipart')
        union all select (read->'assertions')::text from of
      ), rows as (
        select json_array_elements(read->'data') as given from of where json_typeof(read->'data') = 'array'
      )
      select array(
        select distinct found[1] collate "C" as name
        from texts, regexp_matches(piece, ${placeholder}, 'g') as found
        where found[1] not in (${generated})
          and found[1] not in (select json_object_keys(given) from rows)
        order by 1
      )
    $$`.execute(db);
  await sql`
    alter table ${tests} add column asked_names text[] generated always as (${requested}(definition)) stored`.execute(
    db,
  );
}
