import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import type { WorkOptions } from "../queue/worker.ts";
import { bothEngines } from "../testing/databases.ts";
import { collectEmails } from "../testing/emails.ts";
import { canaryEmail as email, type MailFixture, mailVault, openMailFixture, until } from "../testing/mail-fixture.ts";
import { renderEmail } from "./email.ts";
import { getEmailQueueName, type MailOptions } from "./mail.ts";
import { getPreviousQueueName, previousSealingContext } from "./previous-emails.ts";
import type { Delivery } from "./smtp.ts";

for (const engine of bothEngines()) {
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

  /** Mail whose jobs the test runs itself. */
  async function openPausedMail(options: Partial<Omit<MailOptions, "database">>) {
    const queue = await fixture.openQueue();
    const handles = new Map<string, WorkOptions["handle"]>();
    const work = (name: string, { handle }: WorkOptions) => {
      handles.set(name, handle);
      return { stop: async () => {} };
    };
    const mail = await fixture.openMail({ ...options, queue: { ...queue, work } });
    const handle = handles.get(getEmailQueueName(fixture.service))!;
    return { mail, handOver: (id: string, attempt: number) => handle({}, { id, payload: {}, attempt }) };
  }

  test(`${engine.name}: the age of the oldest waiting email is reported until its delivery`, async () => {
    const mail = await fixture.openMail({ delivery: collectEmails(), work: false });
    expect(await mail.oldestSince()).toBeNull();
    await fixture.post(mail, [email]);
    const since = await mail.oldestSince();
    await fixture.post(mail, [email]);
    expect(since).toBeInstanceOf(Date);
    expect(await mail.oldestSince()).toEqual(since);
    const working = await fixture.openMail({ delivery: collectEmails() });
    await until(async () => (await fixture.waiting()).length === 0);
    expect(await working.oldestSince()).toBeNull();
  });

  test(`${engine.name}: an email deleted with its organization is not sent`, async () => {
    const organizationId = uuidv7();
    const taking = await fixture.openMail({ delivery: collectEmails(), work: false });
    await fixture.post(taking, [email, email], organizationId);
    await fixture.post(taking, [{ ...email, to: { address: "else@example.org" } }]);
    await sql`delete from ${sql.id(fixture.schema, "letters")} where organization_id = ${organizationId}`.execute(
      database.kysely,
    );
    const delivery = collectEmails();
    const queue = await fixture.openQueue();
    await fixture.openMail({ delivery });
    await until(async () => (await queue.countWaiting(getEmailQueueName(fixture.service))).waiting === 0);
    await until(async () => (await queue.countWaiting(getEmailQueueName(fixture.service))).running === 0);
    expect(delivery.emails.map(({ to }) => to.address)).toEqual(["else@example.org"]);
    expect(fixture.logged.join("")).not.toContain("job failed");
  });

  test(`${engine.name}: an undeliverable email is given up after eleven attempts, reported and deleted`, async () => {
    const tries: string[] = [];
    const failures: object[] = [];
    const unavailable: Delivery = {
      async deliver(id) {
        tries.push(id);
        throw new Error("no response");
      },
      close: async () => {},
    };
    const { mail, handOver } = await openPausedMail({
      delivery: unavailable,
      onFailed: async (reference, failure) => void failures.push({ reference, ...failure }),
    });
    await fixture.post(mail, [{ ...email, reference: "lost" }]);
    const [id] = await fixture.waiting();
    for (let attempt = 1; attempt <= 10; attempt += 1) await expect(handOver(id!, attempt)).rejects.toThrow();
    expect(await fixture.waiting()).toEqual([id]);
    await handOver(id!, 11);
    expect(await fixture.waiting()).toEqual([]);
    expect(tries).toEqual(Array(11).fill(id));
    const expectedFailure = { reference: "lost", message: "no response" };
    expect(failures).toEqual([
      ...Array(10).fill({ ...expectedFailure, isFinal: false }),
      { ...expectedFailure, isFinal: true },
    ]);
    expect(fixture.logged.filter((line) => line.includes("an email was given up"))).toHaveLength(1);
  });

  test(`${engine.name}: an email whose process died during the last attempt is given up without another`, async () => {
    const delivery = collectEmails();
    const failures: object[] = [];
    const onFailed = async (_: string, failure: object) => void failures.push(failure);
    const { mail, handOver } = await openPausedMail({ delivery, onFailed });
    await fixture.post(mail, [{ ...email, reference: "lost" }]);
    const [id] = await fixture.waiting();
    await handOver(id!, 12);
    expect(await fixture.waiting()).toEqual([]);
    expect(delivery.emails).toEqual([]);
    expect(failures).toEqual([{ isFinal: true, message: expect.stringContaining("died") }]);
  });

  test(`${engine.name}: emails queued by the previous version are delivered, and it doesn't see this version's`, async () => {
    const queue = await fixture.openQueue();
    const previousQueue = getPreviousQueueName(fixture.service);
    await queue.declare(previousQueue);
    const id = uuidv7();
    const payload = {
      sealed: mailVault.seal(JSON.stringify(renderEmail(email)), previousSealingContext(fixture.service, id)),
      reference: "before",
    };
    await database.kysely
      .transaction()
      .execute((transaction) => queue.send(transaction, previousQueue, [{ id, payload }]));
    const taking = await fixture.openMail({ delivery: collectEmails(), work: false });
    await fixture.post(taking, [email]);
    expect(await queue.countWaiting(previousQueue)).toMatchObject({ waiting: 1 });
    const delivery = collectEmails();
    const handedOver: string[] = [];
    await fixture.openMail({ delivery, onHandedOver: async (reference) => void handedOver.push(reference) });
    await until(() => delivery.emails.length === 2);
    await until(async () => (await fixture.waiting()).length === 0);
    expect(handedOver).toEqual(["before"]);
    // With its own id, from which its Message-ID is derived.
    expect(delivery.emails.map((one) => one.id)).toContain(id);
    await until(async () => (await queue.countWaiting(previousQueue)).running === 0);
    expect(await queue.countWaiting(previousQueue)).toMatchObject({ waiting: 0 });
  });
}
