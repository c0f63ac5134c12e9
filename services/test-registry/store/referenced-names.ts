import { type Kysely, sql } from "kysely";
import { generatedNames } from "#libraries/template/placeholders.ts";
import type { AnyTables } from "../../kit/database/database.ts";
import { schemaName } from "./tables.ts";

const tests = sql.id(schemaName, "tests");

// An escaped backslash remains. Other escapes get a placeholder, so that the text around them does not form a name.
const escapes = sql.lit(String.raw`(\\\\)|\\u[0-9a-fA-F]{4}`);
const without = sql.lit(String.raw`\1?`);

/**
 * Names that a test references as `{{name}}` and its own data rows do not give, as the portal finds them in one test. A
 * generated column, so that tests written by a version running in parallel have them too. Escapes are removed first:
 * PostgreSQL's JSON functions refuse a NUL or a lone surrogate, which a body may contain, and no name has any.
 */
export async function addReferencedNames(db: Kysely<AnyTables>): Promise<void> {
  const requested = sql.id(schemaName, "asked_names");
  const generated = sql.join(generatedNames.map((name) => sql.lit(name)));
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

/** Names that a test captures, `bookId#` among them: what later members of its run may reference. */
export async function addCapturedNames(db: Kysely<AnyTables>): Promise<void> {
  const captured = sql.id(schemaName, "captured_names");
  await sql`
    create function ${captured}(definition json) returns text[] language sql immutable as $$
      select array(
        select distinct captured->>'name' collate "C" as name
        from json_array_elements(
          case when json_typeof(read->'captures') = 'array' then read->'captures' else '[]'::json end) as captured
        where captured->>'name' is not null
        order by 1
      )
      from (select regexp_replace(definition::text, ${escapes}, ${without}, 'g')::json as read) as cleaned
    $$`.execute(db);
  await sql`
    alter table ${tests} add column captured_names text[] generated always as (${captured}(definition)) stored`.execute(
    db,
  );
  // Few tests capture anything.
  await sql`create index tests_captured on ${tests} (organization_id, api_id) where captured_names <> '{}'`.execute(db);
}
