import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery, sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { testEngines } from "../testing/databases.ts";
import { collectEmails } from "../testing/emails.ts";
import { canaryEmail as email, type MailFixture, openMailFixture, until } from "../testing/mail-fixture.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { createSmtpDelivery, type Delivery } from "./smtp.ts";

for (const engine of testEngines()) {
  let database: Database;
  let fixture: MailFixture;
  beforeAll(async () => {
    database = await engine.open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    fixture = await openMailFixture(database);
  });
  afterEach(() => fixture.stop());

  function openDelivery(server: { url: string }): Delivery {
    const delivery = createSmtpDelivery({ url: server.url, from: "portal@example.com" });
    fixture.ending.push(() => delivery.close());
    return delivery;
  }

  test(`${engine.name}: emails reach a mail server that was down when they were sent`, async () => {
    const closed = await startMailServer();
    const port = Number(new URL(closed.url).port);
    await closed.stop();
    const delivery = openDelivery(closed);
    const failures: boolean[] = [];
    const onFailed = async (_: string, { isFinal }: { isFinal: boolean }) => void failures.push(isFinal);
    const mail = await fixture.openMail({ delivery, onFailed });
    await fixture.post(mail, [{ ...email, reference: "late" }]);
    await until(() => fixture.logged.some((line) => line.includes("job failed")));
    expect(failures[0]).toBe(false);
    const back = await startMailServer(port);
    // Must be last: it waits for connections to close.
    fixture.ending.unshift(() => back.stop());
    expect(await back.newest("canary@example.org")).toMatchObject({ subject: "A canary subject" });
    await until(async () => (await fixture.waiting()).length === 0);
    expect(back.received).toHaveLength(1);
  });

  test(`${engine.name}: L03: an email refused for good is tried once, and the log contains neither address nor content`, async () => {
    const server = await startMailServer();
    fixture.ending.push(() => server.stop());
    server.refused.add("canary@example.org");
    const delivery = openDelivery(server);
    const handedOver: string[] = [];
    const onHandedOver = async (reference: string) => void handedOver.push(reference);
    const failures: unknown[] = [];
    const onFailed = async (reference: string, failure: object) => void failures.push({ reference, ...failure });
    const mail = await fixture.openMail({ delivery, onHandedOver, onFailed });
    await fixture.post(mail, [
      { ...email, reference: "refused" },
      { ...email, to: { address: "else@example.org" }, reference: "sent" },
    ]);
    await server.newest("else@example.org");
    await until(async () => (await fixture.waiting()).length === 0);
    expect(fixture.logged.filter((line) => line.includes("refused for good"))).toHaveLength(1);
    expect(fixture.logged.join("")).not.toMatch(/canary|else@/i);
    expect(handedOver).toEqual(["sent"]);
    expect(failures).toEqual([{ reference: "refused", isFinal: true, message: expect.stringMatching(/^[^@]*5\d\d/) }]);
  });

  test(`${engine.name}: L01: no table contains a readable email`, async () => {
    const mail = await fixture.openMail({ delivery: collectEmails(), work: false });
    await fixture.post(mail, [email, { ...email, isDecoy: true }]);
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

  test(`${engine.name}: the workers of two processes deliver each email once, and none that was rolled back`, async () => {
    const delivery = collectEmails();
    const [one] = await Promise.all([fixture.openMail({ delivery }), fixture.openMail({ delivery })]);
    const emails = Array.from({ length: 40 }, (_, number) => ({
      ...email,
      to: { address: `reader${number}@example.org` },
    }));
    await database.kysely
      .transaction()
      .execute(async (transaction) => {
        await one.send(transaction, null, [{ ...email, to: { address: "nobody@example.org" } }]);
        throw new Error("rolled back");
      })
      .catch(() => {});
    await fixture.post(one, emails);
    await until(() => delivery.emails.length >= 40);
    await until(async () => (await fixture.waiting()).length === 0);
    expect(delivery.emails.map(({ to }) => to.address).sort()).toEqual(emails.map(({ to }) => to.address).sort());
  });

  test(`${engine.name}: stopping waits for the current email, and the others remain for the next start`, async () => {
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
    const mail = await fixture.openMail({ delivery: slow });
    await fixture.post(
      mail,
      Array.from({ length: 6 }, (_, number) => ({ ...email, to: { address: `reader${number}@example.org` } })),
    );
    await until(() => started.length > 0);
    await mail.stop();
    const before = delivered.length;
    expect(started).toHaveLength(before);
    expect(before).toBeLessThan(6);
    await pause(400);
    expect(started).toHaveLength(before);
    await fixture.openMail({ delivery: slow });
    await until(() => delivered.length === 6);
    expect(new Set(delivered).size).toBe(6);
  });

  test(`${engine.name}: a process without workers stores emails and delivers none`, async () => {
    const delivery = collectEmails();
    const mail = await fixture.openMail({ delivery, work: false });
    await fixture.post(mail, [email]);
    await pause(300);
    expect(delivery.emails).toEqual([]);
    expect(await fixture.waiting()).toHaveLength(1);
  });

  test(`${engine.name}: a decoy email is queued like any other and never delivered`, async () => {
    const delivery = collectEmails();
    const mail = await fixture.openMail({ delivery });
    await fixture.post(mail, [{ ...email, isDecoy: true }]);
    await until(async () => (await fixture.waiting()).length === 0);
    expect(delivery.emails).toEqual([]);
  });

  test(`${engine.name}: without a mail server, sending fails immediately and nothing is queued`, async () => {
    const mail = await fixture.openMail({ delivery: undefined });
    await expect(fixture.post(mail, [email])).rejects.toMatchObject({ code: "service_unavailable", status: 503 });
    expect(await fixture.waiting()).toEqual([]);
  });
}
