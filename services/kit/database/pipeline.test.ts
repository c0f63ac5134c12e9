import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothEngines } from "../testing/databases.ts";
import type { Database } from "./database.ts";
import { inPipeline } from "./pipeline.ts";
import { prepared } from "./prepared.ts";

for (const engine of bothEngines()) {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
    await sql`create table steps (number serial primary key, name text not null unique)`.execute(database.kysely);
  });
  afterAll(() => database.close());

  const insert = (name: string) => sql<{ number: number }>`${prepared("insert_step")}
    insert into steps (name) values (${name}) returning number`;
  const list = async () => {
    const { rows } = await sql<{ name: string }>`select name from steps order by number`.execute(database.kysely);
    return rows.map(({ name }) => name);
  };

  test(`${engine.name}: statements that start together run in order, and each returns its result`, async () => {
    const { answers } = await inPipeline(database.kysely, async (pipeline) => ({
      answers: await Promise.all([
        ...["a", "b", "c"].map((name) => insert(name).execute(pipeline)),
        sql`select 1`.execute(pipeline),
      ]),
      last: [],
    }));
    expect(answers.map(({ rows }) => rows)).toEqual([
      [{ number: 1 }],
      [{ number: 2 }],
      [{ number: 3 }],
      [{ "?column?": 1 }],
    ]);
    expect(await list()).toEqual(["a", "b", "c"]);
  });

  test(`${engine.name}: when one of them fails, nothing is stored, and the connection remains usable`, async () => {
    const before = await list();
    const doomed = inPipeline(database.kysely, async (pipeline) => {
      await Promise.all(["d", "a", "e"].map((name) => insert(name).execute(pipeline)));
      return { last: [] };
    });
    await expect(doomed).rejects.toMatchObject({ code: "23505" });
    expect(await list()).toEqual(before);
    await insert("f").execute(database.kysely);
    expect(await list()).toEqual([...before, "f"]);
  });

  test(`${engine.name}: statements sent last are stored when the transaction has ended`, async () => {
    const before = await list();
    await inPipeline(database.kysely, async (pipeline) => {
      await insert("g").execute(pipeline);
      return { last: ["h", "i"].map((name) => insert(name).execute(pipeline)) };
    });
    expect(await list()).toEqual([...before, "g", "h", "i"]);
  });

  test(`${engine.name}: when one sent last fails, nothing is stored, and the caller gets the error`, async () => {
    const before = await list();
    const doomed = inPipeline(database.kysely, async (pipeline) => {
      await insert("j").execute(pipeline);
      return { last: ["k", "a", "l"].map((name) => insert(name).execute(pipeline)) };
    });
    await expect(doomed).rejects.toMatchObject({ code: "23505" });
    expect(await list()).toEqual(before);
    await insert("m").execute(database.kysely);
    expect(await list()).toEqual([...before, "m"]);
  });
}
