import { type Generated, type Kysely, sql } from "kysely";
import type { AnyTables } from "../database/database.ts";
import type { InTransaction } from "../database/pipeline.ts";
import { prepared } from "../database/prepared.ts";

/** A publisher's outbox: one row per consumer of an event, until that consumer has received it. */
export interface DeliveryTables {
  event_deliveries: {
    consumer: string;
    /** Delivery order within one resource; without meaning across resources. */
    sequence: Generated<number>;
    event_id: string;
    resource: string;
    organization_id: string;
    /** The serialized event. */
    event: string;
    /** Earliest delivery; during a delivery, the end of its lease. */
    due_at: Date;
    tries: Generated<number>;
    /** Attempts that the consumer refused, not counting those without a response. */
    refusals: Generated<number>;
  };
}

/** Migration step of each service that publishes. */
export function createDeliveryTable(schema: string) {
  return async (db: Kysely<AnyTables>): Promise<void> => {
    const table = sql.id(schema, "event_deliveries");
    await sql`
      create table ${table} (
        consumer text not null,
        sequence bigint generated always as identity,
        event_id uuid not null,
        resource text not null,
        organization_id uuid not null,
        event text not null,
        due_at timestamptz not null,
        tries integer not null default 0,
        refusals integer not null default 0,
        primary key (consumer, sequence)
      )`.execute(db);
    await sql`create index event_deliveries_by_resource on ${table} (consumer, resource, sequence)`.execute(db);
  };
}

export type NewDelivery = Pick<
  DeliveryTables["event_deliveries"],
  "consumer" | "event_id" | "resource" | "organization_id" | "event" | "due_at"
>;

/**
 * A sequence number is drawn before its transaction commits, so a later one could become visible first. Publishers of
 * the same resource therefore wait until the previous one has committed or rolled back, which makes its numbers
 * visible in order.
 */
export async function lockResources(transaction: InTransaction, resources: string[]): Promise<void> {
  // Always in the same order, to prevent deadlocks between publishers of the same resources.
  for (const resource of [...new Set(resources)].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${resource}, 7205))`.execute(transaction);
  }
}

export async function insertDeliveries(transaction: InTransaction, schema: string, rows: NewDelivery[]): Promise<void> {
  await sql`${prepared(`insert_deliveries_of_${schema}`)}
    insert into ${sql.id(schema, "event_deliveries")} (consumer, event_id, resource, organization_id, event, due_at)
    select * from unnest(
      ${rows.map(({ consumer }) => consumer)}::text[],
      ${rows.map(({ event_id }) => event_id)}::uuid[],
      ${rows.map(({ resource }) => resource)}::text[],
      ${rows.map(({ organization_id }) => organization_id)}::uuid[],
      ${rows.map(({ event }) => event)}::text[],
      ${rows.map(({ due_at }) => due_at.toISOString())}::timestamptz[]
    )`.execute(transaction);
}

export interface Delivery {
  sequence: number;
  event_id: string;
  organization_id: string;
  event: string;
  tries: number;
  refusals: number;
}

export interface ClaimOptions {
  consumer: string;
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** An event refused this often no longer blocks those after it. */
  maxRefusals: number;
}

/** Claims the oldest delivery of each resource, except those leased by another process or postponed. */
export async function claimDeliveries(
  db: Kysely<DeliveryTables>,
  schema: string,
  { consumer, now, leaseUntil, limit, maxRefusals }: ClaimOptions,
): Promise<Delivery[]> {
  const table = sql.id(schema, "event_deliveries");
  const { rows } = await sql<Delivery>`
    with next as (
      select sequence from ${table} as one
      where consumer = ${consumer} and due_at <= ${now} and not exists (
        select from ${table} as earlier
        where earlier.consumer = ${consumer} and earlier.resource = one.resource
          and earlier.sequence < one.sequence and earlier.refusals < ${maxRefusals})
      order by sequence limit ${limit} for update skip locked
    )
    update ${table} as claimed set due_at = ${leaseUntil}, tries = tries + 1
    from next where claimed.consumer = ${consumer} and claimed.sequence = next.sequence
    returning claimed.sequence, event_id, organization_id, event, tries, refusals`.execute(db);
  return rows;
}

/** Matches only while the claim is valid: a later one has incremented `tries`. */
function matchesClaim(consumer: string, { sequence, tries }: Delivery) {
  return { consumer, sequence, tries };
}

/** Deletes the deliveries whose claims are still valid. */
export async function deleteDeliveries(
  db: Kysely<DeliveryTables>,
  schema: string,
  consumer: string,
  deliveries: Delivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    delete from ${sql.id(schema, "event_deliveries")} delivery
    using unnest(
      ${deliveries.map(({ sequence }) => sequence)}::bigint[], ${deliveries.map(({ tries }) => tries)}::int[]
    ) as claim(sequence, tries)
    where delivery.consumer = ${consumer} and delivery.sequence = claim.sequence and delivery.tries = claim.tries`.execute(
    db,
  );
}

export async function postponeDelivery(
  db: Kysely<DeliveryTables>,
  consumer: string,
  delivery: Delivery,
  { dueAt, refusals }: { dueAt: Date; refusals: number },
): Promise<void> {
  const claim = matchesClaim(consumer, delivery);
  await db
    .updateTable("event_deliveries")
    .set({ due_at: dueAt, refusals })
    .where((is) => is.and(claim))
    .execute();
}

export async function countDeliveries(
  db: Kysely<DeliveryTables>,
  maxRefusals: number,
): Promise<{ consumer: string; waiting: number; parked: number }[]> {
  const rows = await db
    .selectFrom("event_deliveries")
    .select((of) => [
      "consumer",
      of.fn.countAll<number>().filterWhere("refusals", "<", maxRefusals).as("waiting"),
      of.fn.countAll<number>().filterWhere("refusals", ">=", maxRefusals).as("parked"),
    ])
    .groupBy("consumer")
    .execute();
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting), parked: Number(row.parked) }));
}
