import {
  AckPolicy,
  type ConsumerMessages,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import type { Logger } from "pino";

/** An organization has work waiting at a place. */
export interface Offer {
  organizationId: string;
  /** Its work was claimed: the offer is deleted. */
  accept(): void;
  /** It is offered again after a second. */
  decline(): void;
}

interface Parts {
  installation: string;
  replicas: number;
  log: Pick<Logger, "warn">;
  connect(): Promise<NatsConnection>;
  isConnected(): boolean;
}

/**
 * Maximum offers of one organization at one place: one being accepted, whose claim may have missed work queued since, and
 * one waiting.
 */
const maxOffers = 2;
/** An offer that was neither accepted nor declined by then, because its process was killed, is offered again. */
const acceptMilliseconds = 10_000;
const declinedMilliseconds = 1_000;
/** The server deletes the consumer of a place that no process has asked for this long. */
const inactiveMilliseconds = 600_000;
const retryMilliseconds = 1_000;
/** Maximum offers that one line buffers. */
export const maxHeld = 32;

const streamExists = 10_058;
const storeFailed = 10_077;

/** The stream of offers of one installation: a work queue with a consumer for each place. */
export class Offers {
  readonly #parts: Parts;
  readonly #stream: string;
  readonly #subject: string;
  readonly #lines = new Set<OfferLine>();
  #managing: Promise<JetStreamManager> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stream = `assurance_${parts.installation}_work`;
    this.#subject = `assurance.${parts.installation}.work`;
  }

  /** Whether offers arrive; otherwise work is found by polling the database. */
  get isConnected(): boolean {
    return this.#parts.isConnected();
  }

  /** Offers work of organizations at a place. A failure is logged: the work is then found by polling. */
  async add(place: string, organizationIds: Iterable<string>): Promise<void> {
    if (!this.isConnected) return;
    try {
      await this.#manage();
      const stream = jetstream(await this.#parts.connect());
      await Promise.all(
        [...organizationIds].map((organizationId) =>
          stream.publish(`${this.#subject}.${place}.${organizationId}`).catch((error: unknown) => {
            // The maximum is reached.
            if (!(error instanceof JetStreamApiError && error.code === storeFailed)) throw error;
          }),
        ),
      );
    } catch (error) {
      this.#forgetStream(error);
    }
  }

  /**
   * Receives offers of a place.
   * @param onOffers called when some can be taken
   */
  open(place: string, onOffers: () => void): OfferLine {
    const line = new OfferLine({
      onOffers,
      pull: async (max) => await this.#pull(place, max),
      onFailure: (error) => this.#forgetStream(error),
      isConnected: () => this.isConnected,
    });
    this.#lines.add(line);
    return line;
  }

  async #pull(place: string, max: number): Promise<ConsumerMessages> {
    const manager = await this.#manage();
    await manager.consumers.add(this.#stream, {
      durable_name: place,
      filter_subject: `${this.#subject}.${place}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(acceptMilliseconds),
      max_ack_pending: 100_000,
      inactive_threshold: nanos(inactiveMilliseconds),
    });
    const consumer = await jetstream(await this.#parts.connect()).consumers.get(this.#stream, place);
    return await consumer.fetch({ max_messages: max, expires: 30_000, idle_heartbeat: 5_000 });
  }

  async #manage(): Promise<JetStreamManager> {
    this.#managing ??= this.#createStream();
    return await this.#managing;
  }

  async #createStream(): Promise<JetStreamManager> {
    const manager = await jetstreamManager(await this.#parts.connect());
    try {
      await manager.streams.add({
        name: this.#stream,
        subjects: [`${this.#subject}.>`],
        retention: RetentionPolicy.Workqueue,
        discard: DiscardPolicy.New,
        discard_new_per_subject: true,
        max_msgs_per_subject: maxOffers,
        storage: StorageType.File,
        num_replicas: this.#parts.replicas,
      });
    } catch (error) {
      // It exists with another number of replicas, which the operator changes with NATS' own tools.
      if (!(error instanceof JetStreamApiError && error.code === streamExists)) throw error;
    }
    return manager;
  }

  #forgetStream(error: unknown): void {
    this.#managing = undefined;
    if (this.isConnected) this.#parts.log.warn({ err: error }, "work could not be offered or received by NATS");
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.close();
    this.#lines.clear();
  }
}

interface LineParts {
  onOffers(): void;
  pull(max: number): Promise<ConsumerMessages>;
  onFailure(error: unknown): void;
  isConnected(): boolean;
}

/** Buffers offers of one place as they arrive. */
export class OfferLine {
  readonly #parts: LineParts;
  readonly #held: JsMsg[] = [];
  #messages: ConsumerMessages | undefined;
  #taken: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: LineParts) {
    this.#parts = parts;
    void this.#follow();
  }

  /** Removes and returns the buffered offers. */
  take(): Offer[] {
    const offers = this.#held.splice(0).map(
      (message): Offer => ({
        organizationId: message.subject.slice(message.subject.lastIndexOf(".") + 1),
        accept: () => message.ack(),
        decline: () => message.nak(declinedMilliseconds),
      }),
    );
    this.#taken?.();
    return offers;
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (!this.#parts.isConnected()) await pause(retryMilliseconds);
        else await this.#receive();
      } catch (error) {
        if (this.#isClosed) return;
        this.#parts.onFailure(error);
        await pause(retryMilliseconds);
      }
    }
  }

  async #receive(): Promise<void> {
    this.#messages = await this.#parts.pull(maxHeld - this.#held.length);
    if (this.#isClosed) return void this.#messages.close();
    for await (const message of this.#messages) {
      this.#held.push(message);
      this.#parts.onOffers();
    }
    if (this.#held.length < maxHeld) return;
    await new Promise<void>((resolve) => {
      this.#taken = resolve;
    });
    this.#taken = undefined;
  }

  close(): void {
    this.#isClosed = true;
    void this.#messages?.close();
    this.#taken?.();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
