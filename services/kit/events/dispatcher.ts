import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { storedEvent } from "#contracts/kit/event.ts";
import type { Clock } from "../clock/clock.ts";
import { LookPace } from "../clock/look-pace.ts";
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
import { isAway, mostRefusals, secondsAfterAbsence, secondsAfterRefusal } from "./redelivery.ts";

/** Concurrent resources per process. */
const wave = 32;
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
  readonly #pace = new LookPace();
  readonly #ended: Promise<void>;
  #stopping = false;
  #told = false;
  /** While the consumer is unavailable, single events probe it. */
  #isAway = false;
  #interrupt: () => void = () => {};

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  wake(): void {
    this.#told = true;
    this.#interrupt();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#interrupt();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#told = false;
      const delivered = await this.#deliverWave().catch((error: unknown) => {
        const { consumer, log } = this.#options;
        logFailure(log, error, "events could not be looked up", { consumer: consumer.name });
        return false;
      });
      // The next events of the delivered resources may be due.
      if (!delivered) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    if (this.#stopping || (this.#told && !this.#isAway)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pace.milliseconds);
      this.#interrupt = () => {
        if (this.#isAway && !this.#stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @returns whether anything was delivered */
  async #deliverWave(): Promise<boolean> {
    const { db, schema, consumer, clock } = this.#options;
    const now = clock.now();
    const deliveries = await claimDeliveries(db, schema, {
      consumer: consumer.name,
      now,
      leaseUntil: new Date(now.getTime() + consumer.deadlineMilliseconds + leaseBeyondDeadlineMilliseconds),
      limit: this.#isAway ? 1 : wave,
      mostRefusals,
    });
    this.#pace.looked(deliveries.length > 0);
    const told = await Promise.allSettled(deliveries.map((delivery) => this.#deliver(delivery)));
    const arrived = deliveries.filter((_, index) => {
      const outcome = told[index]!;
      return outcome.status === "fulfilled" && outcome.value;
    });
    await deleteDeliveries(db, schema, consumer.name, arrived);
    for (const outcome of told) if (outcome.status === "rejected") throw outcome.reason;
    return arrived.length > 0;
  }

  /** @returns whether the consumer received it */
  async #deliver(delivery: Delivery): Promise<boolean> {
    const { db, consumer, clock, log, serviceToken } = this.#options;
    const token = await serviceToken(delivery.organization_id);
    const event = storedEvent.parse(JSON.parse(delivery.event));
    const answer = await consumer.receive(event, { token, requestId: event.id });
    if (answer.ok) {
      if (this.#isAway) log.info({ consumer: consumer.name }, "a consumer of events is back");
      this.#isAway = false;
      return true;
    }
    const wasAway = this.#isAway;
    this.#isAway = isAway(answer.status);
    const refusals = delivery.refusals + (this.#isAway ? 0 : 1);
    const seconds = this.#isAway ? secondsAfterAbsence : secondsAfterRefusal(refusals);
    await postponeDelivery(db, consumer.name, delivery, {
      dueAt: new Date(clock.now().getTime() + seconds * 1_000),
      refusals,
    });
    const told = {
      consumer: consumer.name,
      eventId: delivery.event_id,
      type: event.type,
      tries: delivery.tries,
      code: answer.problem.code,
      detail: answer.problem.detail,
    };
    if (this.#isAway) {
      // Logged once, not for every waiting event.
      if (!wasAway) log.warn(told, "a consumer of events is away: they wait");
    } else if (refusals === mostRefusals) log.error(told, "event parked: its consumer refuses it");
    else log.warn(told, "event refused, to be tried again");
    return false;
  }
}
