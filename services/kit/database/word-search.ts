import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { AnyTables, Executor } from "./database.ts";
import { acrossOrganizations } from "./organization-scope.ts";

/**
 * Finds rows by word prefixes, in constant time: a column `terms` contains each row's words, and labels such as its
 * state, with a GIN index. Every term starts with its organization, so that no other one's rows are scanned.
 */

/**
 * Whitespace and ASCII punctuation separate words. Letters of every alphabet form them, in any locale of the database.
 */
export const between = "[\\u0001-/:-@\\[-`{-\\u007f\\u00a0]+";
export const longestWord = 60;
/** Rows of the list that are scanned one by one before the index is used. */
const stretch = 1_000;
/** Up to this many candidate rows are scanned without using the index. */
const few = 500;

/**
 * Value of `terms` for a trigger, so that a row is found by its content whichever code changes it.
 * @param labels array of internal words, matched as a whole
 */
export function termsOf(organizationId: RawBuilder<string>, texts: RawBuilder<string>, labels: RawBuilder<string[]>) {
  return sql`array_to_tsvector(array(
    select distinct right(${organizationId}::text, 12) || term from (
      select left(word, ${sql.lit(longestWord)}) as term
      from regexp_split_to_table(lower(${texts}), ${sql.lit(between)}) word where word <> ''
      union all
      select '=' || lower(label) from unnest(${labels}) label
    ) of_row))`;
}

/** The words of a query. */
export const wordsIn = (query: string): string[] =>
  query.replaceAll("\0", " ").split(new RegExp(between, "u")).filter(Boolean);

export interface WantedTerms {
  query?: string | undefined;
  /** Words of the query, in lower case, that are matched as a whole. */
  whole?: ReadonlySet<string>;
  /** One of each of these lists; an empty one adds no condition. */
  labels?: readonly (readonly string[])[];
}

/** The condition on `terms`; undefined: no condition; `nothing`: no row can match. */
export function wantedTerms(
  organizationId: string,
  { query = "", whole, labels = [] }: WantedTerms,
): RawBuilder<unknown> | "nothing" | undefined {
  const words = wordsIn(query);
  if (query.trim() !== "" && words.length === 0) return "nothing";
  const scope = organizationId.slice(-12);
  const quoted = (term: string) => `'${scope}${term}'`;
  const parts = [
    ...words.map((word) => `${quoted(word.slice(0, longestWord))}${whole?.has(word.toLowerCase()) ? "" : ":*"}`),
    ...labels.flatMap((any) => (any.length > 0 ? [`(${any.map((label) => quoted(`=${label}`)).join(" | ")})`] : [])),
  ];
  return parts.length > 0 ? sql`lower(${parts.join(" & ")}::text)::tsquery` : undefined;
}

export interface OrderedSearch {
  table: string;
  /** Undefined: all organizations, whose terms then start with a shared prefix. */
  organizationId: string | undefined;
  /** Column of the returned ids. */
  id: string;
  /** Column that the list is sorted by; indexed after the organization. */
  key: string;
  direction: "asc" | "desc";
  /** The last key of the previous page. */
  after: string | undefined;
  limit: number;
  terms: RawBuilder<unknown>;
  /** Further conditions on columns of the same table. */
  condition?: Expression<SqlBool> | undefined;
  /** A condition common to all results, by which an index provides the list's order. */
  among?: Expression<SqlBool> | undefined;
}

/**
 * Ids of the next rows in the list's order with these terms. When many rows match, the next ones of the list soon do;
 * when few match, the index lists them all. Using only one of the two would scan the whole list, or sort most of it.
 * The index scans all rows of a word, so when the candidates are few, those are scanned instead.
 */
export async function findInOrder(db: Executor<AnyTables>, search: OrderedSearch): Promise<string[]> {
  // Row-level security would prevent the use of the terms index, since its operator might leak rows. Terms start with
  // the organization, and only ids are returned: the rows themselves are read with the organization's role.
  return await acrossOrganizations(() => findIds(db, search));
}

async function findIds(db: Executor<AnyTables>, search: OrderedSearch): Promise<string[]> {
  const { table, organizationId, id, key, direction, after, limit, terms } = search;
  const { condition = sql<boolean>`true`, among = sql<boolean>`true` } = search;
  const isOwn = organizationId ? sql<boolean>`organization_id = ${organizationId}` : sql<boolean>`true`;
  const isAfter =
    after === undefined
      ? sql<boolean>`true`
      : sql<boolean>`${sql.ref(key)} ${sql.raw(direction === "asc" ? ">" : "<")} ${after}`;
  const rest = db.selectFrom(table).where(isOwn).where(among).where(isAfter).orderBy(key, direction);
  const near = await db
    .selectFrom(rest.selectAll().limit(stretch).as("next"))
    .select(id)
    .where(sql<boolean>`terms @@ ${terms}`)
    .where(condition)
    .orderBy(key, direction)
    .limit(limit)
    .execute();
  const areFew = async () => (await rest.select(key).offset(few).limit(1).execute()).length === 0;
  if (near.length === limit || (search.among && (await areFew()))) return near.map((row) => row[id]);
  const found = await db
    // As a separate query, so that no plan prefers to scan the list.
    .with(
      (name) => name("found").materialized(),
      (named) => named.selectFrom(table).selectAll().where(sql<boolean>`terms @@ ${terms}`),
    )
    .selectFrom("found")
    .select(id)
    .where(isOwn)
    .where(isAfter)
    .where(condition)
    .orderBy(key, direction)
    .limit(limit)
    .execute();
  return found.map((row) => row[id]);
}
