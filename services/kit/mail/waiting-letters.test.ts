import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import type { WorkOptions } from "../queue/worker.ts";
import { bothEngines } from "../testing/databases.ts";
import { collectLetters } from "../testing/letters.ts";
import { canaryLetter as letter, type MailWorld, mailVault, openMailWorld, until } from "../testing/mail-world.ts";
import { earlierPlace, earlierQueueOf } from "./earlier-letters.ts";
import { writeLetter } from "./letter.ts";
import { letterQueueOf, type MailOptions } from "./mail.ts";
import type { Delivery } from "./smtp.ts";

for (const engine of bothEngines()) {
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

  /** Mail whose jobs the test runs itself. */
  async function openHeldMail(options: Partial<Omit<MailOptions, "database">>) {
    const queue = await world.openQueue();
    const handles = new Map<string, WorkOptions["handle"]>();
    const work = (name: string, { handle }: WorkOptions) => {
      handles.set(name, handle);
      return { stop: async () => {} };
    };
    const mail = await world.openMail({ ...options, queue: { ...queue, work } });
    const handle = handles.get(letterQueueOf(world.service))!;
    return { mail, handOver: (id: string, attempt: number) => handle({}, { id, payload: {}, attempt }) };
  }

  test(`${engine.name}: since when the oldest letter waits is told, until it is handed over`, async () => {
    const mail = await world.openMail({ delivery: collectLetters(), work: false });
    expect(await mail.oldestSince()).toBeNull();
    await world.post(mail, [letter]);
    const since = await mail.oldestSince();
    await world.post(mail, [letter]);
    expect(since).toBeInstanceOf(Date);
    expect(await mail.oldestSince()).toEqual(since);
    const working = await world.openMail({ delivery: collectLetters() });
    await until(async () => (await world.waiting()).length === 0);
    expect(await working.oldestSince()).toBeNull();
  });

  test(`${engine.name}: a letter that went with its organization is not sent any more`, async () => {
    const organizationId = uuidv7();
    const taking = await world.openMail({ delivery: collectLetters(), work: false });
    await world.post(taking, [letter, letter], organizationId);
    await world.post(taking, [{ ...letter, to: { address: "else@example.org" } }]);
    await sql`delete from ${sql.id(world.schema, "letters")} where organization_id = ${organizationId}`.execute(
      database.kysely,
    );
    const delivery = collectLetters();
    const queue = await world.openQueue();
    await world.openMail({ delivery });
    await until(async () => (await queue.countWaiting(letterQueueOf(world.service))).waiting === 0);
    await until(async () => (await queue.countWaiting(letterQueueOf(world.service))).running === 0);
    expect(delivery.letters.map(({ to }) => to.address)).toEqual(["else@example.org"]);
    expect(world.logged.join("")).not.toContain("job failed");
  });

  test(`${engine.name}: a letter that nobody takes is given up after eleven tries, told of and gone`, async () => {
    const tries: string[] = [];
    const failures: object[] = [];
    const away: Delivery = {
      async deliver(id) {
        tries.push(id);
        throw new Error("nobody answers");
      },
      close: async () => {},
    };
    const { mail, handOver } = await openHeldMail({
      delivery: away,
      onFailed: async (reference, failure) => void failures.push({ reference, ...failure }),
    });
    await world.post(mail, [{ ...letter, reference: "lost" }]);
    const [id] = await world.waiting();
    for (let attempt = 1; attempt <= 10; attempt += 1) await expect(handOver(id!, attempt)).rejects.toThrow();
    expect(await world.waiting()).toEqual([id]);
    await handOver(id!, 11);
    expect(await world.waiting()).toEqual([]);
    expect(tries).toEqual(Array(11).fill(id));
    const told = { reference: "lost", words: "nobody answers" };
    expect(failures).toEqual([...Array(10).fill({ ...told, isFinal: false }), { ...told, isFinal: true }]);
    expect(world.logged.filter((line) => line.includes("a letter was given up"))).toHaveLength(1);
  });

  test(`${engine.name}: a letter whose process died at the last try is given up without another`, async () => {
    const delivery = collectLetters();
    const failures: object[] = [];
    const onFailed = async (_: string, failure: object) => void failures.push(failure);
    const { mail, handOver } = await openHeldMail({ delivery, onFailed });
    await world.post(mail, [{ ...letter, reference: "lost" }]);
    const [id] = await world.waiting();
    await handOver(id!, 12);
    expect(await world.waiting()).toEqual([]);
    expect(delivery.letters).toEqual([]);
    expect(failures).toEqual([{ isFinal: true, words: expect.stringContaining("died") }]);
  });

  test(`${engine.name}: letters that the version before has queued are delivered, and it finds none of ours`, async () => {
    const queue = await world.openQueue();
    const earlier = earlierQueueOf(world.service);
    await queue.declare(earlier);
    const id = uuidv7();
    const payload = {
      sealed: mailVault.seal(JSON.stringify(writeLetter(letter)), earlierPlace(world.service, id)),
      reference: "before",
    };
    await database.kysely.transaction().execute((transaction) => queue.send(transaction, earlier, [{ id, payload }]));
    const taking = await world.openMail({ delivery: collectLetters(), work: false });
    await world.post(taking, [letter]);
    expect(await queue.countWaiting(earlier)).toMatchObject({ waiting: 1 });
    const delivery = collectLetters();
    const told: string[] = [];
    await world.openMail({ delivery, onHandedOver: async (reference) => void told.push(reference) });
    await until(() => delivery.letters.length === 2);
    await until(async () => (await world.waiting()).length === 0);
    expect(told).toEqual(["before"]);
    // With its own id, from which its Message-ID is derived.
    expect(delivery.letters.map((one) => one.id)).toContain(id);
    await until(async () => (await queue.countWaiting(earlier)).running === 0);
    expect(await queue.countWaiting(earlier)).toMatchObject({ waiting: 0 });
  });
}
