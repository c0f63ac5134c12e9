import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { Event } from "#contracts/kit/event.ts";
import type { Clock } from "../clock/clock.ts";
import type { Database } from "../database/database.ts";
import { notify } from "../database/notifications.ts";
import type { InTransaction } from "../database/pipeline.ts";
import type { IssueServiceToken } from "../identity/identity.ts";
import type { Family } from "../metrics/metrics.ts";
import type { Consumer } from "./consumer.ts";
import { countDeliveries, type DeliveryTables, insertDeliveries, lockResources } from "./delivery-table.ts";
import { Dispatcher } from "./dispatcher.ts";
import { maxRefusals } from "./redelivery.ts";

/** The publisher's part of an event; the rest is added here. */
export type PublishedEvent<E extends Event> = E extends Event
  ? Pick<E, "type" | "organizationId" | "payload"> & {
      /** Events of one resource arrive in order, such as `api/<id>`; absent when order is irrelevant. */
      resource?: string;
    }
  : never;

export interface Publisher<E extends Event> {
  /**
   * Writes events at the end of the transaction that causes them: publishers of the same resources wait until it
   * commits. Call it once per transaction.
   */
  publish(transaction: InTransaction, events: PublishedEvent<E>[]): Promise<void>;
  /** Waiting deliveries, and those that a consumer has refused for good. */
  countDeliveries(): Promise<{ consumer: string; waiting: number; parked: number }[]>;
  /** The same counts as metrics. */
  metrics(): Promise<Family[]>;
  /** Stops delivering after the current deliveries. */
  stop(): Promise<void>;
}

export interface PublisherOptions {
  database: Database;
  /** Schema of the service, which contains its delivery table. */
  schema: string;
  clock: Clock;
  log: Logger;
  serviceToken: IssueServiceToken;
  consumers: Consumer[];
  /** Whether this process delivers events, or only writes them. */
  work: boolean;
}

/** Publishes a service's events: stored with their cause, delivered at least once, in order per resource. */
export async function createPublisher<E extends Event>(options: PublisherOptions): Promise<Publisher<E>> {
  const { database, schema, clock, log, consumers, serviceToken } = options;
  const channel = `events_${schema}`;
  const db = database.inSchema<DeliveryTables>(schema);
  const dispatchers = options.work
    ? consumers.map((consumer) => new Dispatcher({ db, schema, consumer, clock, log, serviceToken }))
    : [];
  const unsubscribe =
    dispatchers.length > 0
      ? await database.subscribe(channel, () => {
          for (const dispatcher of dispatchers) dispatcher.wake();
        })
      : () => {};
  return {
    async publish(transaction, events) {
      const occurredAt = clock.now();
      const rows = events.flatMap(({ resource, ...published }) => {
        const event: Event = { id: uuidv7(), occurredAt: occurredAt.toISOString(), ...published };
        return consumers
          .filter(({ types }) => types.includes(event.type))
          .map(({ name }) => ({
            consumer: name,
            event_id: event.id,
            resource: resource ?? event.id,
            organization_id: event.organizationId,
            event: JSON.stringify(event),
            due_at: occurredAt,
          }));
      });
      if (rows.length === 0) return;
      await lockResources(
        transaction,
        events.flatMap(({ resource }) => (resource === undefined ? [] : [`${schema}/${resource}`])),
      );
      await Promise.all([insertDeliveries(transaction, schema, rows), notify(transaction, channel)]);
    },
    countDeliveries: () => countDeliveries(db, maxRefusals),
    async metrics() {
      const counts = await countDeliveries(db, maxRefusals);
      const toSamples = (count: "waiting" | "parked") =>
        counts.map((of) => ({ labels: { publisher: schema, consumer: of.consumer }, value: of[count] }));
      return [
        {
          name: "event_deliveries_waiting",
          type: "gauge",
          help: "Events not yet delivered to a service, in all processes.",
          samples: toSamples("waiting"),
        },
        {
          name: "event_deliveries_parked",
          type: "gauge",
          help: "Events refused repeatedly by a service; they are retried hourly.",
          samples: toSamples("parked"),
        },
      ];
    },
    async stop() {
      unsubscribe();
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    },
  };
}
