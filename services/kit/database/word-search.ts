import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { AnyTables, Executor } from "./database.ts";
import { acrossOrganizations } from "./organization-scope.ts";

/**
 * Rows found by the beginnings of words, in constant time: a column `terms` holds each row's words, and labels such as its
 * state, with a GIN index over it. Every term begins with its organization, so that no other one's rows are walked.
 */

/** Blanks and ASCII's signs part words. Letters of every alphabet make them, whatever locale a database has. */
const between = "[\\u0001-/:-@\\[-`{-\\u007f\\u00a0]+";
const longestWord = 60;
/** Rows of the list that are looked at one by one before the index is asked. */
const stretch = 1_000;
/** So many among which a word is looked for have been looked at already, and the index is not asked. */
const few = 500;

/**
 * What `terms` is set to, for a trigger: whichever code changes the row, it is found by what it says.
 * @param labels an array of words of ours, to be found as a whole
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

export interface WantedTerms {
  query?: string | undefined;
  /** One of each of these lists; an empty one asks for nothing. */
  labels?: readonly (readonly string[])[];
}

/** The condition on `terms`; undefined: nothing is asked for; `nothing`: no row can have it. */
export function wantedTerms(
  organizationId: string,
  { query = "", labels = [] }: WantedTerms,
): RawBuilder<unknown> | "nothing" | undefined {
  const words = query.replaceAll("\0", " ").split(new RegExp(between, "u")).filter(Boolean);
  if (query.trim() !== "" && words.length === 0) return "nothing";
  const scope = organizationId.slice(-12);
  const quoted = (term: string) => `'${scope}${term}'`;
  const parts = [
    ...words.map((word) => `${quoted(word.slice(0, longestWord))}:*`),
    ...labels.flatMap((any) => (any.length > 0 ? [`(${any.map((label) => quoted(`=${label}`)).join(" | ")})`] : [])),
  ];
  return parts.length > 0 ? sql`lower(${parts.join(" & ")}::text)::tsquery` : undefined;
}

export interface OrderedSearch {
  table: string;
  /** Undefined: of all, whose terms then begin with something that all have. */
  organizationId: string | undefined;
  /** Column of the ids that are answered. */
  id: string;
  /** Column that the list is ordered by; an index has it behind the organization. */
  key: string;
  direction: "asc" | "desc";
  /** The last key of the page before. */
  after: string | undefined;
  limit: number;
  terms: RawBuilder<unknown>;
  /** What terms can't tell, of columns of the same table. */
  condition?: Expression<SqlBool> | undefined;
  /** What all that is found has, by which an index has the list in its order. */
  among?: Expression<SqlBool> | undefined;
}

/**
 * Ids of the next rows in the list's order that have these terms. Where many have them, the next of the list do soon;
 * where few do, the index knows them all. Asking only one of the two would walk the whole list, or sort most of it. The
 * index goes past all that a word is found by: of a few rows among which it is looked for, those are looked at instead.
 */
export async function findInOrder(db: Executor<AnyTables>, search: OrderedSearch): Promise<string[]> {
  // Row-level security would not let the index of terms be asked, since its operator might tell of rows it is shown. What
  // is found begins with the organization, and is only ids: the rows are read as the organization's.
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
    // By itself, so that no plan prefers to walk the list.
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
