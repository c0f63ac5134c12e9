import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bothEngines, createTestDatabase } from "../testing/databases.ts";
import { type Database, openPostgresDatabase } from "./database.ts";
import { Notifier, notify, tickMilliseconds } from "./notifications.ts";
import { currentOrganization, withOrganization } from "./organization-scope.ts";
import { inPipeline } from "./pipeline.ts";
import type { Notification } from "./prepared.ts";

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

  test(`${engine.name}: a commit that ends a failed transaction sends no notifications`, async () => {
    const heard: (string | undefined)[] = [];
    await database.subscribe("failed", (payload) => heard.push(payload));
    const broken = inPipeline(database.kysely, async (pipeline) => {
      await notify(pipeline, "failed", "never");
      return { last: [sql`select 1 / 0`.execute(pipeline)] };
    });
    await expect(broken).rejects.toThrow("division by zero");
    await notify(database.kysely, "failed", "later");
    await expect.poll(() => heard).toEqual(["later"]);
  });

  test(`${engine.name}: a listener works for all organizations, whichever one a transaction was for`, async () => {
    const heard: unknown[] = [];
    await database.subscribe("scoped", () => heard.push({ organization: currentOrganization() }));
    await withOrganization("0198c5a0-0000-7000-8000-000000000001", async () => {
      await notify(database.kysely, "scoped");
      await expect.poll(() => heard).toEqual([{ organization: undefined }]);
    });
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
      await sql`select pg_notify('fourth', 'again')`.execute(database.kysely);
      await expect.poll(() => heard).toEqual([undefined, "again"]);
    });
  }
}

test("PostgreSQL: another process hears what was committed here, and a transaction's own process hears it once", async () => {
  const { url, drop } = await createTestDatabase();
  const [here, there] = [await openPostgresDatabase(url), await openPostgresDatabase(url)];
  const heard = { here: [] as unknown[], there: [] as unknown[] };
  await here.subscribe("shared", (payload) => heard.here.push(payload));
  await there.subscribe("shared", (payload) => heard.there.push(payload));
  await here.kysely.transaction().execute((transaction) => notify(transaction, "shared", "a"));
  await expect.poll(() => heard.there).toEqual(["a"]);
  await there.kysely.transaction().execute((transaction) => notify(transaction, "shared", "b"));
  await expect.poll(() => heard.here).toEqual(["a", "b"]);
  expect(heard.there).toEqual(["a", "b"]);
  await notify(here.kysely, "shared", "while it closes");
  await here.close();
  await expect.poll(() => heard.there.at(-1)).toBe("while it closes");
  await there.close();
  await drop();
});

/** Notifications as they leave, by tick. */
function createNotifier() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const sent: Notification[][] = [];
  const notifier = new Notifier(
    () => {},
    async (notifications) => void sent.push(notifications),
  );
  return { notifier, sent, tick: () => vi.advanceTimersByTimeAsync(tickMilliseconds) };
}

test("notifications of one tick leave together, each word once and each channel once", async () => {
  const { notifier, sent, tick } = createNotifier();
  notifier.committed([
    { channel: "runs", payload: "a b" },
    { channel: "work", payload: "" },
  ]);
  notifier.committed([{ channel: "runs", payload: "b c" }]);
  expect(sent).toEqual([]);
  await tick();
  expect(sent).toEqual([
    [
      { channel: "runs", payload: "a b c" },
      { channel: "work", payload: "" },
    ],
  ]);
  notifier.committed([{ channel: "runs", payload: "d" }]);
  await tick();
  expect(sent.slice(1)).toEqual([[{ channel: "runs", payload: "d" }]]);
  vi.useRealTimers();
});

test("a channel whose words are too many, or of which anything may have happened, is notified without words", async () => {
  const { notifier, sent, tick } = createNotifier();
  const words = Array.from({ length: 1_000 }, (_, number) => `word-${number}`);
  notifier.committed([
    { channel: "long", payload: words.join(" ") },
    { channel: "any", payload: "a" },
    { channel: "any", payload: "" },
    { channel: "any", payload: "b" },
  ]);
  await tick();
  expect(sent).toEqual([
    [
      { channel: "long", payload: "" },
      { channel: "any", payload: "" },
    ],
  ]);
  vi.useRealTimers();
});
