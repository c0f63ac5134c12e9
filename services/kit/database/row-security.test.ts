import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { administrate, createTestDatabase, type TestDatabase, testDatabaseUrl } from "../testing/databases.ts";
import { type Database, openPostgresDatabase } from "./database.ts";
import { migrateSchema } from "./migrate.ts";
import { acrossOrganizations, withOrganization } from "./organization-scope.ts";
import { inPipeline } from "./pipeline.ts";
import { prepared } from "./prepared.ts";

const [ours, theirs] = [uuidv7(), uuidv7()];
const migrations = {
  "001-shelves": {
    up: async (db: Database["kysely"]) => {
      await sql`create table library.shelves (id integer primary key, organization_id uuid not null)`.execute(db);
      await sql`create table library.books (
        title text primary key, shelf_id integer not null references library.shelves)`.execute(db);
      await sql`create table library.opening_hours (day text primary key)`.execute(db);
    },
  },
};

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  // One connection, which alternates between organizations.
  database = await openPostgresDatabase(made.url, { maximumConnections: 1 });
  await migrateSchema(database, "library", migrations);
  await sql`insert into library.shelves values (1, ${ours}), (2, ${theirs})`.execute(database.kysely);
  await sql`insert into library.books values ('Ours', 1), ('Theirs', 2)`.execute(database.kysely);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

async function listTitles(executor = database.kysely): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`${prepared("list_titles")}
    select title from library.books order by title`.execute(executor);
  return rows.map(({ title }) => title);
}

test("a query without any condition returns an organization's rows, and those of the rows they reference", async () => {
  expect(await listTitles()).toEqual(["Ours", "Theirs"]);
  expect(await withOrganization(ours, listTitles)).toEqual(["Ours"]);
  expect(await withOrganization(theirs, listTitles)).toEqual(["Theirs"]);
  expect(await listTitles()).toEqual(["Ours", "Theirs"]);
  const both = () => withOrganization(ours, () => acrossOrganizations(listTitles));
  expect(await both()).toEqual(["Ours", "Theirs"]);
});

test("rows of another organization can't be changed, deleted or added", async () => {
  await withOrganization(ours, async () => {
    const { kysely } = database;
    expect((await sql`update library.books set title = title`.execute(kysely)).numAffectedRows).toBe(1n);
    expect((await sql`delete from library.shelves where id = 2`.execute(kysely)).numAffectedRows).toBe(0n);
    await expect(sql`insert into library.books values ('New', 2)`.execute(kysely)).rejects.toThrow(
      /row-level security/,
    );
    await expect(sql`insert into library.shelves values (3, ${theirs})`.execute(kysely)).rejects.toThrow(
      /row-level security/,
    );
  });
});

test("rows without an organization are visible to all", async () => {
  await withOrganization(ours, () => sql`insert into library.opening_hours values ('Monday')`.execute(database.kysely));
  const { rows } = await withOrganization(theirs, () =>
    sql`select day from library.opening_hours`.execute(database.kysely),
  );
  expect(rows).toEqual([{ day: "Monday" }]);
});

test("a transaction belongs to its organization, also in a pipeline and after a failed statement of another one", async () => {
  const { kysely } = database;
  await withOrganization(theirs, async () => {
    const failing = kysely.transaction().execute((transaction) => sql`select 1 / 0`.execute(transaction));
    await expect(failing).rejects.toThrow("division by zero");
  });
  const { titles } = await withOrganization(ours, () =>
    inPipeline(kysely, async (pipeline) => ({
      titles: await Promise.all([1, 2].map(() => listTitles(pipeline as never))),
      last: [],
    })),
  );
  expect(titles).toEqual([["Ours"], ["Ours"]]);
  expect(await listTitles()).toEqual(["Ours", "Theirs"]);
});

test("work that outlives its call belongs to no particular organization", async () => {
  let later: Promise<string[]> | undefined;
  await withOrganization(ours, () => {
    later = new Promise((resolve) => setTimeout(resolve, 0)).then(() => listTitles());
  });
  expect(await later).toEqual(["Ours", "Theirs"]);
});

test("a table created later is separated, too, by a user who is not a superuser", async () => {
  const name = `portal_${randomBytes(4).toString("hex")}`;
  await administrate(async (client) => {
    await client.query(`create role ${name} login password '${name}' createrole`);
    await client.query(`grant portal_organization to ${name}`);
    // Only a superuser needs no membership for this.
    await client.query(`grant ${name} to current_user`);
    await client.query(`create database ${name} owner ${name}`);
  });
  const url = new URL(testDatabaseUrl(name));
  url.username = name;
  url.password = name;
  const own = await openPostgresDatabase(url.href, { maximumConnections: 2 });
  try {
    await migrateSchema(own, "library", migrations);
    await migrateSchema(own, "library", {
      ...migrations,
      "002-loans": { up: (db) => sql`create table library.loans (organization_id uuid)`.execute(db).then(() => {}) },
    });
    await sql`insert into library.loans values (${ours}), (${theirs})`.execute(own.kysely);
    const { rows } = await withOrganization(ours, () => sql`select from library.loans`.execute(own.kysely));
    expect(rows.length).toBe(1);
    await own.checkSeparation();
  } finally {
    await own.close();
    await administrate(async (client) => {
      await client.query(`drop database ${name} with (force)`);
      await client.query(`drop role ${name}`);
    });
  }
});

test("a user who may not become the role continues without it, and logs the remedy", async () => {
  const name = `portal_${randomBytes(4).toString("hex")}`;
  await administrate(async (client) => {
    await client.query(`create role ${name} login password '${name}'`);
    // Only a superuser needs no membership for this.
    await client.query(`grant ${name} to current_user`);
    await client.query(`create database ${name} owner ${name}`);
  });
  const url = new URL(testDatabaseUrl(name));
  url.username = name;
  url.password = name;
  const own = await openPostgresDatabase(url.href, { maximumConnections: 2 });
  const warnings: string[] = [];
  try {
    await migrateSchema(own, "library", migrations, {
      warn: (_: unknown, words: string) => warnings.push(words),
    } as never);
    expect(warnings.join()).toMatch(/create role portal_organization nologin; grant portal_organization to/);
    await expect(own.checkSeparation()).rejects.toThrow("portal_organization");
    expect((await withOrganization(ours, () => sql`select from library.shelves`.execute(own.kysely))).rows).toEqual([]);
    // If enabled nevertheless, statements fail instead of running without restriction.
    own.separateOrganizations();
    const refused = withOrganization(ours, () => sql`select from library.shelves`.execute(own.kysely));
    await expect(refused).rejects.toThrow(/permission denied to set role/);
  } finally {
    await own.close();
    await administrate(async (client) => {
      await client.query(`drop database ${name} with (force)`);
      await client.query(`drop role ${name}`);
    });
  }
});

test("a session without an organization sees no organization's rows", async () => {
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  await client.query("set role portal_organization");
  expect((await client.query("select * from library.books")).rows).toEqual([]);
  await client.end();
});
