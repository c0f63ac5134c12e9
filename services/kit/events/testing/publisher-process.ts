import { sql } from "kysely";
import { pino } from "pino";
import type { Event } from "#contracts/kit/event.ts";
import type { CallResult } from "../../client/client.ts";
import { systemClock } from "../../clock/clock.ts";
import { openEmbeddedDatabase, openPostgresDatabase } from "../../database/database.ts";
import { migrateSchema } from "../../database/migrate.ts";
import { createTestIdentities } from "../../testing/identities.ts";
import { createDeliveryTable } from "../delivery-table.ts";
import { createInbox, createInboxTable } from "../inbox.ts";
import { createPublisher } from "../publisher.ts";

/**
 * A process that publishes numbered events, delivers them to its own consumer and is killed at some point. With
 * `--finish` it publishes nothing and ends once no delivery is waiting. Arguments: database address or folder,
 * `--finish`.
 */
const [location = "", finish] = process.argv.slice(2);
const database = location.startsWith("postgres")
  ? await openPostgresDatabase(location)
  : await openEmbeddedDatabase(location);
const organizationId = "01900000-0000-7000-8000-000000000001";
const resources = 4;

type Numbered = Event<{ number: number; resource: string }> & { type: "numbered" };
interface Tables {
  causes: { number: number };
  effects: { number: number; resource: string; position?: number };
}

await migrateSchema(database, "publisher", {
  "001-deliveries": { up: createDeliveryTable("publisher") },
  "002-inbox": { up: createInboxTable("publisher") },
  "003-numbers": {
    async up(db) {
      await sql`create table publisher.causes (number integer primary key)`.execute(db);
      await sql`create table publisher.effects
        (number integer not null, resource text not null, position bigint generated always as identity)`.execute(db);
    },
  },
});
const db = database.inSchema<Tables>("publisher");
const identities = createTestIdentities();
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const receive = createInbox<Tables, Numbered>(
  { db, clock: systemClock },
  {
    numbered: async (transaction, { payload }) => {
      await transaction.insertInto("effects").values(payload).execute();
    },
  },
);
const publisher = await createPublisher<Numbered>({
  database,
  schema: "publisher",
  // Claims of a killed process have expired by then, so no lease has to be awaited.
  clock: { now: () => new Date(Date.now() + (finish ? 120_000 : 0)) },
  log: pino({ level: "silent" }),
  serviceToken: identities.serviceToken,
  work: true,
  consumers: [
    {
      name: "reader",
      types: ["numbered"],
      deadlineMilliseconds: 10_000,
      async receive(event, { token }): Promise<CallResult<unknown>> {
        await receive({ body: event as Numbered, caller: await identities.authenticate(token ?? "") });
        // Between the effect and the response: after a kill here the event has to be delivered again.
        await pause(Math.random() * 10);
        return { ok: true, status: 204, value: undefined, response: new Response(null) };
      },
    },
  ],
});

async function cause(number: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto("causes").values({ number }).execute();
    const resource = `r${number % resources}`;
    await publisher.publish(transaction, [
      { type: "numbered", organizationId, resource, payload: { number, resource } },
    ]);
  });
}

if (finish) {
  while ((await publisher.countDeliveries()).length > 0) await pause(20);
  await publisher.stop();
  await database.close();
} else {
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from publisher.causes`.execute(db);
  for (let number = (rows[0]?.last ?? 0) + 1; ; number += 1) {
    await cause(number);
    process.stdout.write(`${number}\n`);
  }
}
