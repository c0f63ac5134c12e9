import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothEngines } from "../testing/databases.ts";
import type { AnyTables, Database } from "./database.ts";
import { createWordsFunction, findLikely, indexWords } from "./likely-search.ts";

const ours = "01900000-0000-7000-8000-00000000000a";
const theirs = "01900000-0000-7000-8000-00000000000b";
const books = {
  schema: "shelf",
  table: "books",
  id: ["id"],
  text: sql<string>`(title || ' ' || author)`,
  key: "key",
} as const;

for (const engine of bothEngines()) {
  let database: Database;
  let db: Kysely<AnyTables>;
  beforeAll(async () => {
    database = await engine.open();
    db = database.inSchema("shelf");
    await sql`create schema shelf`.execute(db);
    await sql`
      create table shelf.books (organization_id uuid not null, id int primary key, title text not null,
        author text not null, key text collate "C" not null generated always as (lower(title)) stored)`.execute(db);
    await createWordsFunction(db, "shelf");
    await indexWords(db, books);
    await sql`create index books_key on shelf.books (organization_id, key)`.execute(db);
    await sql`
      insert into shelf.books (organization_id, id, title, author)
      select ${ours}, n, 'Novel no ' || n, 'Ann Ode' from generate_series(1, 3000) n`.execute(db);
    await sql`
      insert into shelf.books (organization_id, id, title, author) values
        (${ours}, 3001, 'A long list of orders', 'Bo'), (${ours}, 3002, 'Orders of the day', 'Bo'),
        (${ours}, 3003, 'orders', 'Bo'), (${ours}, 3004, 'Novel, the last', 'Ann Ode'),
        (${ours}, 3005, '100% pure', 'x_y'), (${ours}, 3006, '1000 pure things', 'xzy'),
        (${theirs}, 4000, 'Orders', 'Bo')`.execute(db);
    await sql`analyze shelf.books`.execute(db);
  });
  afterAll(() => database.close());

  const find = async (query: string, limit = 5) => {
    const { ids, ...counts } = await findLikely(db, books, { organizationId: ours, query, limit });
    return { ids: ids.map(({ id }) => Number(id)), ...counts };
  };

  test(`${engine.name}: the same name is first, then what begins with it, then what contains it; never rows of other organizations`, async () => {
    expect(await find("ORDERS")).toEqual({ ids: [3003, 3002, 3001], total: 3, hasMore: false });
    expect(await find("orders", 2)).toEqual({ ids: [3003, 3002], total: 3, hasMore: false });
  });

  test(`${engine.name}: all words must match by their beginnings, in any order and any column`, async () => {
    expect((await find("day ord bo")).ids).toEqual([3002]);
    expect((await find("rders")).ids).toEqual([]);
    expect((await find("orders ann")).ids).toEqual([]);
  });

  test(`${engine.name}: SQL wildcards are matched literally`, async () => {
    expect((await find("100%")).ids[0]).toBe(3005);
    expect((await find("p%e")).ids).toEqual([]);
    expect((await find("x_y")).ids).toEqual([3005]);
    expect((await find("%")).ids).toEqual([]);
    expect((await find("'):*|\\ & <->")).ids).toEqual([]);
    expect((await find("orders\0' | 'x")).ids).toEqual([]);
  });

  test(`${engine.name}: of many matches 100 are counted, and one whose name begins with the query is found`, async () => {
    expect(await find("novel, the")).toEqual({ ids: [3004], total: 1, hasMore: false });
    expect(await find("novel")).toMatchObject({ ids: [1, 10, 100, 101, 102], total: 100, hasMore: true });
    expect((await find("ode")).hasMore).toBe(true);
    expect((await find("novel no 2999")).ids).toEqual([2999]);
    expect((await find("novel no", 100)).ids).toHaveLength(100);
  });

  test(`${engine.name}: a common word and a rare one are found together, wherever the row is in the list`, async () => {
    expect((await find("2999 ode")).ids).toEqual([2999]);
    expect((await find("last ann")).ids).toEqual([3004]);
  });
}
