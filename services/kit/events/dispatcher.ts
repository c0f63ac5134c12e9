import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { storedEvent } from "#contracts/kit/event.ts";
import type { Clock } from "../clock/clock.ts";
import { PollPace } from "../clock/poll-pace.ts";
import { logFailure } from "../database/database-problem.ts";
import type { IssueServiceToken } from "../identity/identity.ts";
import type { Consumer } from "./consumer.ts";
import {
  claimDeliveries,
  type Delivery,
  type DeliveryTables,
  deleteDeliveries,
  postponeDelivery,
} from "./delivery-table.ts";
import { isUnavailable, maxRefusals, secondsAfterAbsence, secondsAfterRefusal } from "./redelivery.ts";

/** Concurrent resources per process. */
const batchSize = 32;
/** Added to a call's timeout for the lease, so that only a process that died loses it. */
const leaseBeyondDeadlineMilliseconds = 50_000;

interface DispatcherOptions {
  db: Kysely<DeliveryTables>;
  schema: string;
  consumer: Consumer;
  clock: Clock;
  log: Logger;
  serviceToken: IssueServiceToken;
}

/** Delivers events to one consumer; a slow or unavailable consumer delays no other. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #pace = new PollPace();
  readonly #ended: Promise<void>;
  #stopping = false;
  #notified = false;
  /** While the consumer is unavailable, single events probe it. */
  #isUnavailable = false;
  #interrupt: () => void = () => {};

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  wake(): void {
    this.#notified = true;
    this.#interrupt();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#interrupt();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#notified = false;
      const delivered = await this.#deliverBatch().catch((error: unknown) => {
        const { consumer, log } = this.#options;
        logFailure(log, error, "events could not be claimed", { consumer: consumer.name });
        return false;
      });
      // The next events of the delivered resources may be due.
      if (!delivered) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    if (this.#stopping || (this.#notified && !this.#isUnavailable)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pace.milliseconds);
      this.#interrupt = () => {
        if (this.#isUnavailable && !this.#stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @returns whether anything was delivered */
  async #deliverBatch(): Promise<boolean> {
    const { db, schema, consumer, clock } = this.#options;
    const now = clock.now();
    const deliveries = await claimDeliveries(db, schema, {
      consumer: consumer.name,
      now,
      leaseUntil: new Date(now.getTime() + consumer.deadlineMilliseconds + leaseBeyondDeadlineMilliseconds),
      limit: this.#isUnavailable ? 1 : batchSize,
      maxRefusals,
    });
    this.#pace.record(deliveries.length > 0);
    const outcomes = await Promise.allSettled(deliveries.map((delivery) => this.#deliver(delivery)));
    const arrived = deliveries.filter((_, index) => {
      const outcome = outcomes[index]!;
      return outcome.status === "fulfilled" && outcome.value;
    });
    await deleteDeliveries(db, schema, consumer.name, arrived);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return arrived.length > 0;
  }

  /** @returns whether the consumer received it */
  async #deliver(delivery: Delivery): Promise<boolean> {
    const { db, consumer, clock, log, serviceToken } = this.#options;
    const token = await serviceToken(delivery.organization_id);
    const event = storedEvent.parse(JSON.parse(delivery.event));
    const result = await consumer.receive(event, { token, requestId: event.id });
    if (result.ok) {
      if (this.#isUnavailable) log.info({ consumer: consumer.name }, "an event consumer is available again");
      this.#isUnavailable = false;
      return true;
    }
    const wasUnavailable = this.#isUnavailable;
    this.#isUnavailable = isUnavailable(result.status);
    const refusals = delivery.refusals + (this.#isUnavailable ? 0 : 1);
    const seconds = this.#isUnavailable ? secondsAfterAbsence : secondsAfterRefusal(refusals);
    await postponeDelivery(db, consumer.name, delivery, {
      dueAt: new Date(clock.now().getTime() + seconds * 1_000),
      refusals,
    });
    const logged = {
      consumer: consumer.name,
      eventId: delivery.event_id,
      type: event.type,
      tries: delivery.tries,
      code: result.problem.code,
      detail: result.problem.detail,
    };
    if (this.#isUnavailable) {
      // Logged once, not for every waiting event.
      if (!wasUnavailable) log.warn(logged, "an event consumer is unavailable: its events wait");
    } else if (refusals === maxRefusals) log.error(logged, "event parked: its consumer refuses it");
    else log.warn(logged, "event refused, will be retried");
    return false;
  }
}
