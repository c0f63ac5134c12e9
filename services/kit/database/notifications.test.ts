import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bothEngines } from "../testing/databases.ts";
import type { Database } from "./database.ts";
import { notify } from "./notifications.ts";

for (const engine of bothEngines()) {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
  });
  afterAll(() => database.close());

  test(`${engine.name}: a transaction's notifications arrive after its commit, on their channel only`, async () => {
    const heard: (string | undefined)[] = [];
    const other: (string | undefined)[] = [];
    const end = await database.subscribe("first", (payload) => heard.push(payload));
    await database.subscribe("second", (payload) => other.push(payload));
    await database.kysely.transaction().execute(async (transaction) => {
      await notify(transaction, "first", "a");
      expect(heard).toEqual([]);
    });
    await expect.poll(() => heard).toEqual(["a"]);
    end();
    await notify(database.kysely, "first", "b");
    await notify(database.kysely, "second", "c");
    await expect.poll(() => other).toEqual(["c"]);
    expect(heard).toEqual(["a"]);
  });

  test(`${engine.name}: a listener added during a transaction that is rolled back remains subscribed`, async () => {
    const heard: (string | undefined)[] = [];
    let listening: Promise<unknown> = Promise.resolve();
    const broken = database.kysely.transaction().execute(async (transaction) => {
      listening = database.subscribe("beside", (payload) => heard.push(payload));
      await sql`select 1`.execute(transaction);
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    await listening;
    await notify(database.kysely, "beside", "heard");
    await expect.poll(() => heard).toEqual(["heard"]);
  });

  test(`${engine.name}: a transaction that is rolled back sends no notifications`, async () => {
    const heard: (string | undefined)[] = [];
    await database.subscribe("third", (payload) => heard.push(payload));
    const broken = database.kysely.transaction().execute(async (transaction) => {
      await notify(transaction, "third", "never");
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    await notify(database.kysely, "third", "later");
    await expect.poll(() => heard).toEqual(["later"]);
  });

  test(`${engine.name}: listening to many channels at once receives all, without driver warnings`, async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    const heard: string[] = [];
    const channels = ["one", "two", "three", "four"];
    await Promise.all(channels.map((channel) => database.subscribe(channel, () => heard.push(channel))));
    for (const channel of channels) await notify(database.kysely, channel);
    await expect.poll(() => heard).toEqual(channels);
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });

  if (engine.name === "PostgreSQL") {
    test("a lost connection is reopened, and all listeners are notified to poll", async () => {
      const heard: (string | undefined)[] = [];
      await database.subscribe("fourth", (payload) => heard.push(payload));
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'api-assurance-portal listener' and datname = current_database()`.execute(
        database.kysely,
      );
      await expect.poll(() => heard).toEqual([undefined]);
      await notify(database.kysely, "fourth", "again");
      await expect.poll(() => heard).toEqual([undefined, "again"]);
    });
  }
}
