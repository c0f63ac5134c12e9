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
import { mostRefusals } from "./redelivery.ts";

/** The publisher's part of an event; the rest is added here. */
type Told<E extends Event> = E extends Event
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
  publish(transaction: InTransaction, events: Told<E>[]): Promise<void>;
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
      const rows = events.flatMap(({ resource, ...told }) => {
        const event: Event = { id: uuidv7(), occurredAt: occurredAt.toISOString(), ...told };
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
    countDeliveries: () => countDeliveries(db, mostRefusals),
    async metrics() {
      const counts = await countDeliveries(db, mostRefusals);
      const samplesOf = (count: "waiting" | "parked") =>
        counts.map((of) => ({ labels: { publisher: schema, consumer: of.consumer }, value: of[count] }));
      return [
        {
          name: "event_deliveries_waiting",
          type: "gauge",
          help: "Events that a service has not heard of yet, of all processes.",
          samples: samplesOf("waiting"),
        },
        {
          name: "event_deliveries_parked",
          type: "gauge",
          help: "Events that a service refused time and again; they are tried hourly.",
          samples: samplesOf("parked"),
        },
      ];
    },
    async stop() {
      unsubscribe();
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    },
  };
}
