import { sql } from "kysely";
import { type Logger, pino } from "pino";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Event } from "#contracts/kit/event.ts";
import type { CallResult } from "../client/client.ts";
import { movableClock } from "../clock/clock.ts";
import type { Database } from "../database/database.ts";
import { migrateSchema } from "../database/migrate.ts";
import { bothEngines } from "../testing/databases.ts";
import { createTestIdentities } from "../testing/identities.ts";
import type { Consumer } from "./consumer.ts";
import { claimDeliveries, createDeliveryTable, type DeliveryTables } from "./delivery-table.ts";
import { createInbox, createInboxTable } from "./inbox.ts";
import { createPublisher, type Publisher } from "./publisher.ts";
import { maxRefusals } from "./redelivery.ts";

type Noted = Event<{ note: string }> & { type: "noted" };

const identities = createTestIdentities();
const organizationId = uuidv7();
const done: CallResult<unknown> = { ok: true, status: 204, value: undefined, response: new Response(null) };
const refusal = (status: number): CallResult<unknown> => ({
  ok: false,
  status,
  problem: { type: "about:blank", title: "no", status, code: "conflict", detail: "no" },
});

for (const engine of bothEngines()) {
  let database: Database;
  let schemas = 0;
  let schema: string;
  let publishers: Publisher<Noted>[];
  let logged: string[];
  let log: Logger;
  const clock = movableClock("2026-04-01T00:00:00Z");

  beforeAll(async () => {
    database = await engine.open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    schemas += 1;
    schema = `notes_${schemas}`;
    publishers = [];
    logged = [];
    log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
    await migrateSchema(database, schema, {
      "001-events": { up: createDeliveryTable(schema) },
      "002-inbox": { up: createInboxTable(schema) },
    });
  });
  afterEach(() => Promise.all(publishers.map((publisher) => publisher.stop())));

  async function publisherTo(consumers: Consumer[], work = true): Promise<Publisher<Noted>> {
    const { serviceToken } = identities;
    const publisher = await createPublisher<Noted>({
      database,
      schema,
      clock,
      log,
      serviceToken,
      consumers,
      work,
    });
    publishers.push(publisher);
    return publisher;
  }

  async function publish(publisher: Publisher<Noted>, notes: [resource: string, note: string][]): Promise<void> {
    await database.kysely.transaction().execute((transaction) =>
      publisher.publish(
        transaction.withSchema(schema),
        notes.map(([resource, note]) => ({ type: "noted", organizationId, resource, payload: { note } })),
      ),
    );
  }

  /** Responds as configured and records the accepted events. */
  function consumerThat(
    respond: (note: string) => Promise<CallResult<unknown>> | CallResult<unknown>,
    deadlineMilliseconds = 10_000,
  ) {
    const received: string[] = [];
    const receive = async (event: Event) => {
      const { note } = event.payload as { note: string };
      const result = await respond(note);
      if (result.ok) received.push(note);
      return result;
    };
    return {
      received,
      consumer: { name: "reader", types: ["noted"], deadlineMilliseconds, receive } satisfies Consumer,
    };
  }

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  const nothingWaits = (publisher: Publisher<Noted>) => async () => (await publisher.countDeliveries()).length === 0;

  test(`${engine.name}: an event of a transaction that is rolled back is never delivered`, async () => {
    const { received, consumer } = consumerThat(() => done);
    const publisher = await publisherTo([consumer]);
    const broken = database.kysely.transaction().execute(async (transaction) => {
      const event = { type: "noted", organizationId, payload: { note: "undone" } } as const;
      await publisher.publish(transaction.withSchema(schema), [event]);
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    await publish(publisher, [["a", "published"]]);
    await until(nothingWaits(publisher));
    expect(received).toEqual(["published"]);
  });

  test(`${engine.name}: events of one resource arrive in order while another resource's are refused`, async () => {
    const refused = new Set(["a1"]);
    const { received, consumer } = consumerThat((note) => (refused.has(note) ? refusal(409) : done));
    const publisher = await publisherTo([consumer]);
    const notes = ["a1", "b1", "a2", "b2", "a3", "b3"];
    await publish(
      publisher,
      notes.map((note) => [note.charAt(0), note]),
    );
    await until(() => received.length === 3);
    expect(received).toEqual(["b1", "b2", "b3"]);
    refused.clear();
    clock.advance(2_000);
    await until(nothingWaits(publisher));
    expect(received).toEqual(["b1", "b2", "b3", "a1", "a2", "a3"]);
  });

  test(`${engine.name}: two delivering processes deliver each event once and in order`, async () => {
    const { received, consumer } = consumerThat(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      return done;
    });
    const [publisher] = [await publisherTo([consumer]), await publisherTo([consumer])];
    const notes = Array.from({ length: 60 }, (_, index) => [`r${index % 7}`, String(index)] as [string, string]);
    for (let start = 0; start < notes.length; start += 10) await publish(publisher, notes.slice(start, start + 10));
    await until(nothingWaits(publisher));
    expect(received.length).toBe(60);
    for (let resource = 0; resource < 7; resource += 1) {
      const ofResource = received.map(Number).filter((note) => note % 7 === resource);
      expect(ofResource).toEqual([...ofResource].sort((one, other) => one - other));
    }
  });

  test(`${engine.name}: an event refused repeatedly is parked, counted and logged, and later events are delivered`, async () => {
    const { received, consumer } = consumerThat((note) => (note === "poison" ? refusal(500) : done));
    const publisher = await publisherTo([consumer]);
    await publish(publisher, [
      ["a", "poison"],
      ["a", "after"],
    ]);
    const refusals = () => logged.filter((line) => /refused, will be retried|parked/.test(line)).length;
    for (let tries = 1; tries <= maxRefusals; tries += 1) {
      await until(() => refusals() === tries);
      if (tries < maxRefusals) expect(received).not.toContain("after");
      clock.advance(300_000);
      await publish(publisher, [["b", "look again"]]);
    }
    await until(() => received.includes("after"));
    await until(async () => (await publisher.countDeliveries())[0]?.waiting === 0);
    expect(await publisher.countDeliveries()).toEqual([{ consumer: "reader", waiting: 0, parked: 1 }]);
    expect(await publisher.metrics()).toMatchObject([
      { name: "event_deliveries_waiting", samples: [{ labels: { publisher: schema, consumer: "reader" }, value: 0 }] },
      { name: "event_deliveries_parked", samples: [{ labels: { publisher: schema, consumer: "reader" }, value: 1 }] },
    ]);
    expect(logged.filter((line) => line.includes("event parked")).length).toBe(1);
  });

  test(`${engine.name}: events for an unavailable consumer are never parked and arrive when it is back`, async () => {
    let unavailable = true;
    const { received, consumer } = consumerThat(() => (unavailable ? refusal(503) : done));
    const publisher = await publisherTo([consumer]);
    await publish(publisher, [
      ["a", "first"],
      ["a", "second"],
    ]);
    await until(() => logged.some((line) => line.includes("is unavailable")));
    clock.advance(24 * 3_600_000);
    expect(await publisher.countDeliveries()).toEqual([{ consumer: "reader", waiting: 2, parked: 0 }]);
    unavailable = false;
    clock.advance(2_000);
    await until(nothingWaits(publisher));
    expect(received).toEqual(["first", "second"]);
  });

  test(`${engine.name}: an unreadable event does not block the others in its batch`, async () => {
    const { received, consumer } = consumerThat(() => done);
    await publish(await publisherTo([consumer], false), [
      ["a", "broken"],
      ["b", "whole"],
    ]);
    await sql`update ${sql.id(schema, "event_deliveries")} set event = '{' where resource = 'a'`.execute(
      database.kysely,
    );
    const publisher = await publisherTo([consumer]);
    await until(async () => (await publisher.countDeliveries())[0]?.waiting === 1);
    expect(received).toEqual(["whole"]);
  });

  test(`${engine.name}: an event without an effect is acknowledged and not stored`, async () => {
    const db = database.inSchema<Record<never, never>>(schema);
    const effect = async () => {
      throw new Error("never");
    };
    const receive = createInbox<Record<never, never>, Noted, string>(
      { db, clock, findOut: async () => null },
      { noted: effect },
    );
    const caller = await identities.authenticate(await identities.serviceToken(organizationId));
    const occurredAt = clock.now().toISOString();
    const body: Noted = { id: uuidv7(), type: "noted", organizationId, occurredAt, payload: { note: "nothing" } };
    expect(await receive({ body, caller })).toBeUndefined();
    const { rows } = await sql`select from ${sql.id(schema, "received_events")}`.execute(database.kysely);
    expect(rows.length).toBe(0);
  });

  test(`${engine.name}: an event that was claimed but not delivered is delivered when its lease expires`, async () => {
    const { received, consumer } = consumerThat(() => done);
    await publish(await publisherTo([consumer], false), [["a", "claimed"]]);
    const now = clock.now();
    const claim = { consumer: "reader", now, leaseUntil: new Date(now.getTime() + 60_000), limit: 5, maxRefusals };
    const db = database.inSchema<DeliveryTables>(schema);
    expect((await claimDeliveries(db, schema, claim)).length).toBe(1);
    const publisher = await publisherTo([consumer]);
    await publish(publisher, [["b", "other"]]);
    await until(() => received.length === 1);
    expect(received).toEqual(["other"]);
    clock.advance(61_000);
    await until(nothingWaits(publisher));
    expect(received).toEqual(["other", "claimed"]);
  });

  test(`${engine.name}: an event's lease lasts as long as its consumer's timeout`, async () => {
    let isCalled = false;
    let outcome = (_: CallResult<unknown>) => {};
    const result = new Promise<CallResult<unknown>>((resolve) => {
      outcome = resolve;
    });
    const slow = consumerThat(() => {
      isCalled = true;
      return result;
    }, 600_000);
    const first = await publisherTo([slow.consumer]);
    await publish(first, [["a", "slow"]]);
    await until(() => isCalled);
    clock.advance(600_000);
    const { received, consumer } = consumerThat(() => done, 600_000);
    await publish(await publisherTo([consumer]), [["b", "other"]]);
    await until(() => received.length > 0);
    outcome(done);
    await until(nothingWaits(first));
    expect([slow.received, received]).toEqual([["slow"], ["other"]]);
  });

  test(`${engine.name}: an event delivered twice, even concurrently, takes effect once`, async () => {
    await sql`create table ${sql.id(schema, "counted")} (note text not null)`.execute(database.kysely);
    const db = database.inSchema<{ counted: { note: string } }>(schema);
    const receive = createInbox<{ counted: { note: string } }, Noted>(
      { db, clock },
      {
        noted: async (transaction, { payload }) => {
          await transaction.insertInto("counted").values(payload).execute();
        },
      },
    );
    const caller = await identities.authenticate(await identities.serviceToken(organizationId));
    const occurredAt = clock.now().toISOString();
    const body: Noted = { id: uuidv7(), type: "noted", organizationId, occurredAt, payload: { note: "one" } };
    await Promise.all([receive({ body, caller }), receive({ body, caller })]);
    await receive({ body, caller });
    expect(await db.selectFrom("counted").selectAll().execute()).toEqual([{ note: "one" }]);
    const foreign = { ...body, organizationId: uuidv7() };
    await expect(receive({ body: foreign, caller })).rejects.toMatchObject({ code: "forbidden" });
  });
}
