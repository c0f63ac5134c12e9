import { type Kysely, type RawBuilder, sql } from "kysely";
import type { AnyTables, Executor } from "./database.ts";
import { containsPattern } from "./keyset.ts";
import { acrossOrganizations } from "./organization-scope.ts";
import { between, longestWord, wantedTerms, wordsIn } from "./word-search.ts";

/**
 * Finds the likeliest rows by the beginnings of their words, by a GIN index on the expression `wordsOf`: the table has
 * no column for it, and lists do not read it. Every term starts with its organization, as in `word-search.ts`.
 */

/** Up to this many rows are counted. */
const counted = 100;
/** Rows of the index that are read and put in order, whatever their number. */
const candidates = 1_000;
/** First rows of the organization, by key, that are looked through before the index. */
const stretch = 1_000;
/** Words in so many tests that a prefix search for them would be slow. */
const whole = new Set(["get", "put", "post", "patch", "delete", "head", "options"]);
const longestText = 4_000;

/**
 * Creates the schema's function `words_of`. Its cost keeps the planner from calling it row by row instead of using the
 * index.
 */
export async function createWordsFunction(db: Kysely<AnyTables>, schema: string): Promise<void> {
  await sql`
    create function ${sql.id(schema, "words_of")}(organization_id uuid, text) returns tsvector
    language sql immutable parallel safe cost 10000 as $$
      select array_to_tsvector(array(
        select distinct right($1::text, 12) || left(word, ${sql.lit(longestWord)})
        from regexp_split_to_table(lower(left($2, ${sql.lit(longestText)})), ${sql.lit(between)}) word
        where word <> ''))
    $$`.execute(db);
}

/** Expression of the index, and of the search, on the words of a row. */
function wordsOf(schema: string, text: RawBuilder<string>) {
  return sql`${sql.id(schema, "words_of")}(organization_id, ${text})`;
}

export interface SearchedTable<Id extends string> {
  schema: string;
  table: string;
  /** Columns that identify a row. */
  id: readonly Id[];
  /** What is searched. */
  text: RawBuilder<string>;
  /** Column in lower case and code point order, indexed after the organization: rows are put in order by it. */
  key: string;
}

export async function indexWords(
  db: Kysely<AnyTables>,
  { schema, table, text }: Pick<SearchedTable<string>, "schema" | "table" | "text">,
): Promise<void> {
  await sql`
    create index ${sql.id(`${table}_words`)} on ${sql.id(schema, table)} using gin (${wordsOf(schema, text)})
    with (fastupdate = off)`.execute(db);
}

/** Ids of the best matches, best first. */
export interface Likely<Id extends string> {
  ids: Record<Id, string>[];
  /** How many rows there are, counted up to 100. */
  total: number;
  /** Whether there are more than were counted. */
  hasMore: boolean;
}

export interface LikelySearch {
  organizationId: string;
  query: string;
  limit: number;
}

/**
 * Rows of an organization that have words with these beginnings, in any order. First those whose key is the query, then
 * those whose key begins with it, then those whose key contains it; shorter ones first.
 *
 * Reading every match of a common word takes long, so rows whose key begins with the query and the first rows of the
 * organization are looked at before: if these are enough, others are not.
 */
export async function findLikely<Id extends string>(
  db: Executor<AnyTables>,
  searched: SearchedTable<Id>,
  search: LikelySearch,
): Promise<Likely<Id>> {
  const terms = wantedTerms(search.organizationId, { query: search.query, whole });
  if (!terms || terms === "nothing") return { ids: [], total: 0, hasMore: false };
  // Row-level security would prevent the use of the index, since its operator might leak rows. Terms start with the
  // organization, and only ids are returned: the rows themselves are read with the organization's role.
  return await acrossOrganizations(async () => {
    const parts = toParts(searched, search, terms);
    const near = await select(db, parts, search.limit, sql`${parts.named} union ${parts.near}`);
    if (near.hasMore) return near;
    return await select(db, parts, search.limit, sql`${parts.named} union ${parts.found}`);
  });
}

type Parts = ReturnType<typeof toParts>;

/** Selections of candidates. */
function toParts(
  { schema, table, id, text, key }: SearchedTable<string>,
  { organizationId, query }: LikelySearch,
  terms: RawBuilder<unknown>,
) {
  const rows = sql.id(schema, table);
  const columns = sql.join([...id, key].map((name) => sql.id(name)));
  const isOwn = sql`organization_id = ${organizationId}::uuid`;
  const matches = sql`${wordsOf(schema, text)} @@ ${terms}`;
  // Quicker than splitting every text into words.
  const contains = wordsIn(query).map((word) => sql`${text} ilike ${containsPattern(word.slice(0, longestWord))}`);
  const phrase = sql`${query.replaceAll("\0", " ").trim().replace(/\s+/g, " ").toLowerCase()}::text`;
  return {
    ids: id,
    key: sql.id(key),
    phrase,
    named: sql`(select ${columns} from ${rows}
      where ${isOwn} and ${sql.id(key)} >= ${phrase} and ${sql.id(key)} < ${phrase} || ${"\u{10ffff}"}::text
      order by ${sql.id(key)} limit ${counted + 1})`,
    near: sql`(select ${columns} from (select * from ${rows} where ${isOwn} order by ${sql.id(key)} limit ${stretch}) near
      where ${sql.join(contains, sql` and `)} and ${matches} limit ${counted + 1})`,
    found: sql`(select ${columns} from ${rows} where ${matches} and ${isOwn} limit ${candidates})`,
  };
}

async function select<Id extends string>(
  db: Executor<AnyTables>,
  { ids, key, phrase }: Parts,
  limit: number,
  candidates: RawBuilder<unknown>,
): Promise<Likely<Id>> {
  const { rows } = await sql<Record<Id, string> & { total: number }>`
    select ${sql.join(ids.map((name) => sql`${sql.id(name)}::text`))}, (count(*) over ())::int as total
    from (${candidates}) likely
    order by ${key} = ${phrase} desc, starts_with(${key}, ${phrase}) desc, strpos(${key}, ${phrase}) > 0 desc,
      length(${key}), ${key}, ${sql.join(ids.map((name) => sql.id(name)))}
    limit ${limit}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { ids: rows, total: Math.min(total, counted), hasMore: total > counted };
}
