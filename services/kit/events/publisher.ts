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

/** What the publisher says of an event; the rest is known here. */
type Told<E extends Event> = E extends Event
  ? Pick<E, "type" | "organizationId" | "payload"> & {
      /** Whose events arrive in order, as in `api/<id>`; left out where order says nothing. */
      resource?: string;
    }
  : never;

export interface Publisher<E extends Event> {
  /**
   * Writes events in the transaction that causes them, at its end: until it commits, others that tell of the same
   * resources wait. Call it once a transaction.
   */
  publish(transaction: InTransaction, events: Told<E>[]): Promise<void>;
  /** Deliveries that wait, and those that a consumer has refused for good. */
  countDeliveries(): Promise<{ consumer: string; waiting: number; parked: number }[]>;
  /** The same where metrics are read. */
  metrics(): Promise<Family[]>;
  /** Ends delivering, after what is under way. */
  stop(): Promise<void>;
}

export interface PublisherOptions {
  database: Database;
  /** Of the service; holds its table of deliveries. */
  schema: string;
  clock: Clock;
  log: Logger;
  serviceToken: IssueServiceToken;
  consumers: Consumer[];
  /** Whether this process delivers, or only writes. */
  work: boolean;
}

/** Tells other services what happened: written with its cause, delivered at least once, in order by resource. */
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
