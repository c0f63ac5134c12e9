import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery, sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { testEngines } from "../testing/databases.ts";
import { collectLetters } from "../testing/letters.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { canaryLetter as letter, type MailWorld, openMailWorld, until } from "../testing/mail-world.ts";
import { createSmtpDelivery, type Delivery } from "./smtp.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: MailWorld;
  beforeAll(async () => {
    database = await engine.open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await openMailWorld(database);
  });
  afterEach(() => world.stop());

  function openDelivery(server: { url: string }): Delivery {
    const delivery = createSmtpDelivery({ url: server.url, from: "portal@example.com" });
    world.ending.push(() => delivery.close());
    return delivery;
  }

  test(`${engine.name}: letters reach a mail server that was away when they were sent`, async () => {
    const gone = await startMailServer();
    const port = Number(new URL(gone.url).port);
    await gone.stop();
    const delivery = openDelivery(gone);
    const failures: boolean[] = [];
    const onFailed = async (_: string, { isFinal }: { isFinal: boolean }) => void failures.push(isFinal);
    const mail = await world.openMail({ delivery, onFailed });
    await world.post(mail, [{ ...letter, reference: "late" }]);
    await until(() => world.logged.some((line) => line.includes("job failed")));
    expect(failures[0]).toBe(false);
    const back = await startMailServer(port);
    // Must be last: it waits for connections to close.
    world.ending.unshift(() => back.stop());
    expect(await back.newest("canary@example.org")).toMatchObject({ subject: "A canary subject" });
    await until(async () => (await world.waiting()).length === 0);
    expect(back.received).toHaveLength(1);
  });

  test(`${engine.name}: L03: a letter refused for good is tried once, and the log names neither address nor content`, async () => {
    const server = await startMailServer();
    world.ending.push(() => server.stop());
    server.refused.add("canary@example.org");
    const delivery = openDelivery(server);
    const told: string[] = [];
    const onHandedOver = async (reference: string) => void told.push(reference);
    const failures: unknown[] = [];
    const onFailed = async (reference: string, failure: object) => void failures.push({ reference, ...failure });
    const mail = await world.openMail({ delivery, onHandedOver, onFailed });
    await world.post(mail, [
      { ...letter, reference: "refused" },
      { ...letter, to: { address: "else@example.org" }, reference: "sent" },
    ]);
    await server.newest("else@example.org");
    await until(async () => (await world.waiting()).length === 0);
    expect(world.logged.filter((line) => line.includes("refused for good"))).toHaveLength(1);
    expect(world.logged.join("")).not.toMatch(/canary|else@/i);
    expect(told).toEqual(["sent"]);
    expect(failures).toEqual([{ reference: "refused", isFinal: true, words: expect.stringMatching(/^[^@]*5\d\d/) }]);
  });

  test(`${engine.name}: L01: no table holds a letter that can be read`, async () => {
    const mail = await world.openMail({ delivery: collectLetters(), work: false });
    await world.post(mail, [letter, { ...letter, isForNobody: true }]);
    const tables = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(database.kysely);
    let rows = "";
    for (const { name } of tables.rows) {
      const found = await database.kysely.executeQuery(CompiledQuery.raw(`select to_jsonb(t) as row from ${name} t`));
      rows += JSON.stringify(found.rows);
    }
    expect(rows).toContain("v1.");
    expect(rows).not.toMatch(/canary/i);
    expect(rows).not.toContain(Buffer.from("canary").toString("base64").slice(0, 7));
  });

  test(`${engine.name}: the workers of two processes deliver each letter once, and nothing that was rolled back`, async () => {
    const delivery = collectLetters();
    const [one] = await Promise.all([world.openMail({ delivery }), world.openMail({ delivery })]);
    const letters = Array.from({ length: 40 }, (_, number) => ({
      ...letter,
      to: { address: `reader${number}@example.org` },
    }));
    await database.kysely
      .transaction()
      .execute(async (transaction) => {
        await one.send(transaction, null, [{ ...letter, to: { address: "nobody@example.org" } }]);
        throw new Error("rolled back");
      })
      .catch(() => {});
    await world.post(one, letters);
    await until(() => delivery.letters.length >= 40);
    await until(async () => (await world.waiting()).length === 0);
    expect(delivery.letters.map(({ to }) => to.address).sort()).toEqual(letters.map(({ to }) => to.address).sort());
  });

  test(`${engine.name}: stopping waits for the letter under way, and the others stay for the next start`, async () => {
    const started: string[] = [];
    const delivered: string[] = [];
    const slow: Delivery = {
      async deliver(_, { to }) {
        started.push(to.address);
        await pause(300);
        delivered.push(to.address);
      },
      close: async () => {},
    };
    const mail = await world.openMail({ delivery: slow });
    await world.post(
      mail,
      Array.from({ length: 6 }, (_, number) => ({ ...letter, to: { address: `reader${number}@example.org` } })),
    );
    await until(() => started.length > 0);
    await mail.stop();
    const before = delivered.length;
    expect(started).toHaveLength(before);
    expect(before).toBeLessThan(6);
    await pause(400);
    expect(started).toHaveLength(before);
    await world.openMail({ delivery: slow });
    await until(() => delivered.length === 6);
    expect(new Set(delivered).size).toBe(6);
  });

  test(`${engine.name}: a process that only takes letters in delivers none`, async () => {
    const delivery = collectLetters();
    const mail = await world.openMail({ delivery, work: false });
    await world.post(mail, [letter]);
    await pause(300);
    expect(delivery.letters).toEqual([]);
    expect(await world.waiting()).toHaveLength(1);
  });

  test(`${engine.name}: a letter for nobody is queued like any other and delivered to nobody`, async () => {
    const delivery = collectLetters();
    const mail = await world.openMail({ delivery });
    await world.post(mail, [{ ...letter, isForNobody: true }]);
    await until(async () => (await world.waiting()).length === 0);
    expect(delivery.letters).toEqual([]);
  });

  test(`${engine.name}: where mail can't leave, sending says so at once and nothing is queued`, async () => {
    const mail = await world.openMail({ delivery: undefined });
    await expect(world.post(mail, [letter])).rejects.toMatchObject({ code: "service_unavailable", status: 503 });
    expect(await world.waiting()).toEqual([]);
  });
}
