import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothEngines } from "../testing/databases.ts";
import type { AnyTables, Database } from "./database.ts";
import { findInOrder, type OrderedSearch, termsOf, type WantedTerms, wantedTerms } from "./word-search.ts";

const ours = "01900000-0000-7000-8000-00000000000a";
const theirs = "01900000-0000-7000-8000-00000000000b";

for (const engine of bothEngines()) {
  let database: Database;
  let db: Kysely<AnyTables>;
  beforeAll(async () => {
    database = await engine.open();
    db = database.inSchema("shelf");
    await sql`create schema shelf`.execute(db);
    await sql`
      create table shelf.books (
        organization_id uuid not null, id int primary key, title text not null, state text not null, terms tsvector)`.execute(
      db,
    );
    await sql`
      create function shelf.set_terms() returns trigger language plpgsql as $$
      begin
        new.terms := ${termsOf(sql`new.organization_id`, sql`new.title`, sql`array[new.state]`)};
        return new;
      end $$`.execute(db);
    await sql`create trigger set_terms before insert or update on shelf.books for each row execute function shelf.set_terms()`.execute(
      db,
    );
    // Many more than are scanned one by one; every hundredth is lent, and one of the last is rare.
    await sql`
      insert into shelf.books (organization_id, id, title, state)
      select ${ours}, n, case n when 2999 then 'Ωmega ''Rare'' C:*' else 'Novel no ' || n end,
        case n % 100 when 0 then 'lent' else 'here' end from generate_series(1, 3000) n`.execute(db);
    await sql`insert into shelf.books (organization_id, id, title, state) values (${theirs}, 4000, 'Novel rare', 'lent')`.execute(
      db,
    );
  });
  afterAll(() => database.close());

  const find = async (
    wanted: WantedTerms,
    page: Partial<Pick<OrderedSearch, "after" | "limit" | "direction" | "among">> = {},
  ) => {
    const terms = wantedTerms(ours, wanted);
    if (!terms || terms === "nothing") return terms;
    const { after, limit = 3, direction = "asc", among } = page;
    const search = { table: "books", id: "id", key: "id", organizationId: ours };
    return await findInOrder(db, { ...search, direction, after, limit, terms, among });
  };

  test(`${engine.name}: terms of many rows are listed in order and page by page, from either end`, async () => {
    expect(await find({ query: "nov" })).toEqual([1, 2, 3]);
    expect(await find({ query: "nov" }, { after: "3" })).toEqual([4, 5, 6]);
    expect(await find({ query: "NOVEL" }, { direction: "desc" })).toEqual([3000, 2998, 2997]);
    expect(await find({ query: "novel" }, { after: "2999" })).toEqual([3000]);
  });

  test(`${engine.name}: terms of few rows are found at any position in the list, labels included`, async () => {
    expect(await find({ query: "rare" })).toEqual([2999]);
    expect(await find({ query: "29", labels: [["lent"]] })).toEqual([2900]);
    expect(await find({ labels: [["LENT", "lost"]] }, { after: "2800" })).toEqual([2900, 3000]);
    expect(await find({ query: "nov", labels: [["lent"], ["here"]] })).toEqual([]);
  });

  test(`${engine.name}: among few candidates and among many, only matching rows are found`, async () => {
    const lent = { among: sql<boolean>`state = 'lent'` };
    expect(await find({ query: "nov", labels: [["lent"]] }, { ...lent, after: "2800" })).toEqual([2900, 3000]);
    expect(await find({ query: "rare", labels: [["lent"]] }, lent)).toEqual([]);
    const here = { among: sql<boolean>`state = 'here'` };
    expect(await find({ query: "rare", labels: [["here"]] }, here)).toEqual([2999]);
  });

  test(`${engine.name}: every word has to match by prefix, in any case and alphabet`, async () => {
    expect(await find({ query: "ωm ra" })).toEqual([2999]);
    expect(await find({ query: "rare novel" })).toEqual([]);
    expect(await find({ query: "are" })).toEqual([]);
  });

  test(`${engine.name}: punctuation separates words and has no meaning, and labels are not words`, async () => {
    expect(await find({ query: " 'rare':* & c " })).toEqual([2999]);
    expect(await find({ query: "=lent" })).toEqual([]);
    expect(await find({ query: "\\ \0 ' | ! ( ):*" })).toBe("nothing");
    expect(await find({ query: "  ", labels: [[]] })).toBeUndefined();
  });
}
