import { type Kysely, sql, type Transaction } from "kysely";
import type { Event } from "#contracts/kit/event.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Clock } from "../clock/clock.ts";
import type { AnyTables } from "../database/database.ts";
import type { Identity } from "../identity/identity.ts";

/** A consumer's record of the events that it has processed. */
export interface InboxTables {
  received_events: { id: string; received_at: Date };
}

/** Migration step of each service that receives events. */
export function createInboxTable(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const table = sql.id(schema, "received_events");
    await sql`create table ${table} (id uuid primary key, received_at timestamptz not null)`.execute(db);
    await sql`create index received_events_by_age on ${table} (received_at)`.execute(db);
  };
}

/** Far longer than any event is in transit. */
const retentionMilliseconds = 30 * 24 * 60 * 60 * 1_000;
const eventsBetweenPurges = 1_000;

export type Effects<Tables, E extends Event, Found = undefined> = {
  [Type in E["type"]]: (
    transaction: Transaction<Tables>,
    event: Extract<E, { type: Type }>,
    found: Found,
  ) => Promise<void>;
};

/**
 * Creates the handler of a contract's `receiveEvent`. Each event takes effect once, however often it is delivered,
 * since its id is stored in the effect's own transaction.
 * @param parts.findOut queries other services for the effect, outside of any transaction. When it returns null, the
 * event has no effect and nothing is stored
 */
export function createInbox<Tables, E extends Event, Found = undefined>(
  { db, clock, findOut }: { db: Kysely<Tables>; clock: Clock; findOut?: (event: E) => Promise<Found | null> },
  effects: Effects<Tables, E, Found>,
): (call: { body: E; caller: Identity }) => Promise<undefined> {
  const inbox = db as unknown as Kysely<InboxTables>;
  let received = 0;
  return async ({ body, caller }) => {
    const event: E = body;
    if (event.organizationId !== caller.organizationId) {
      throw new Problem("forbidden", "A token gives access only to its own organization.");
    }
    const now = clock.now();
    const found = (await findOut?.(event)) as Found | null;
    if (found === null) return undefined;
    await db.transaction().execute(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await (transaction as unknown as Transaction<InboxTables>)
        .insertInto("received_events")
        .values({ id: event.id, received_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return;
      const effect = effects[event.type as E["type"]] as (
        of: Transaction<Tables>,
        event: E,
        found: Found,
      ) => Promise<void>;
      await effect(transaction, event, found);
    });
    received += 1;
    if (received % eventsBetweenPurges === 1) {
      await inbox
        .deleteFrom("received_events")
        .where("received_at", "<", new Date(now.getTime() - retentionMilliseconds))
        .execute();
    }
    return undefined;
  };
}
