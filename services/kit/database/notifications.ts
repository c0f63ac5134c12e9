import { AsyncResource } from "node:async_hooks";
import { CompiledQuery, type QueryExecutorProvider } from "kysely";
import { type Notification, notifyText } from "./prepared.ts";

/**
 * Receives a channel's notifications: words separated by spaces, those of several transactions in one. Empty or
 * undefined means that anything may have happened (too much to name, or the connection was lost and restored): poll
 * once.
 */
export type NotificationListener = (payload: string | undefined) => void;

/**
 * Starts listening on a channel (a lower-case name); resolves once notifications from then on arrive. Returns a
 * function that stops it.
 */
export type Subscribe = (channel: string, listener: NotificationListener) => Promise<() => void>;

/**
 * Notifies every process on this database after the transaction has committed; never when it is rolled back. The
 * connection keeps it back (see `PreparingClient`): a notification within the commit would let all commits of the
 * server wait for each other. Payloads are hints to poll, not reliable messages: nothing arrives at a disconnected
 * process, or from one that dies within `tickMilliseconds`, so each listener also polls.
 */
export async function notify(executor: QueryExecutorProvider, channel: string, payload = ""): Promise<void> {
  await executor.getExecutor().executeQuery(CompiledQuery.raw(notifyText, [channel, payload]));
}

/** Listeners by channel, with hooks for the first and after the last listener of a channel. */
export class Channels {
  readonly #listeners = new Map<string, Set<NotificationListener>>();

  get names(): string[] {
    return [...this.#listeners.keys()];
  }

  /** @returns whether this is the channel's first listener */
  add(channel: string, listener: NotificationListener): boolean {
    const known = this.#listeners.get(channel);
    if (known) known.add(listener);
    else this.#listeners.set(channel, new Set([listener]));
    return !known;
  }

  remove(channel: string, listener: NotificationListener): void {
    const listeners = this.#listeners.get(channel);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(channel);
  }

  notify(channel: string, payload: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
  }

  notifyAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }
}

/** How long other processes' notifications are collected: after a quiet time, and at most. */
const firstTickMilliseconds = 10;
export const tickMilliseconds = 30;
/** PostgreSQL's limit is 8,000 bytes. */
const maxPayloadBytes = 7_900;

/** Distinct words by channel; undefined where anything may have happened. */
class Collected {
  #words = new Map<string, Set<string> | undefined>();

  get isEmpty(): boolean {
    return this.#words.size === 0;
  }

  add({ channel, payload }: Notification): void {
    const known = this.#words.has(channel) ? this.#words.get(channel) : new Set<string>();
    if (payload === "") this.#words.set(channel, undefined);
    else if (known)
      this.#words.set(
        channel,
        payload.split(" ").reduce((words, word) => words.add(word), known),
      );
  }

  /** @param maxBytes of a payload; a larger one becomes empty */
  take(maxBytes = Number.POSITIVE_INFINITY): Notification[] {
    const taken = [...this.#words].map(([channel, words]) => {
      const payload = words ? [...words].join(" ") : "";
      return { channel, payload: Buffer.byteLength(payload) > maxBytes ? "" : payload };
    });
    this.#words = new Map();
    return taken;
  }
}

/**
 * Passes on the notifications of this process's committed transactions: to its own listeners at once, to other
 * processes in one statement a tick, outside of any transaction that stores something.
 */
export class Notifier {
  // Listeners work for all organizations, whichever one the committed transaction was for.
  readonly #unscoped = new AsyncResource("Notifier");
  readonly #own = new Collected();
  readonly #others = new Collected();
  readonly #deliver: (notification: Notification) => void;
  readonly #send: ((notifications: Notification[]) => Promise<void>) | undefined;
  #delivering: NodeJS.Immediate | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;

  /**
   * @param deliver to this process
   * @param send to all others; absent if there are none
   */
  constructor(deliver: (notification: Notification) => void, send?: (notifications: Notification[]) => Promise<void>) {
    this.#deliver = deliver;
    this.#send = send;
  }

  readonly committed = (notifications: Notification[]): void => {
    for (const notification of notifications) {
      this.#own.add(notification);
      if (this.#send) this.#others.add(notification);
    }
    this.#delivering ??= setImmediate(() => this.#unscoped.runInAsyncScope(() => this.#deliverOwn()));
    this.#wait();
  };

  #deliverOwn(): void {
    this.#delivering = undefined;
    for (const notification of this.#own.take()) this.#deliver(notification);
  }

  #wait(): void {
    if (this.#others.isEmpty || this.#waiting || this.#sending) return;
    const next = Math.max(firstTickMilliseconds, this.#sentAt + tickMilliseconds - performance.now());
    this.#waiting = setTimeout(() => this.#unscoped.runInAsyncScope(() => void this.#sendRest()), next);
  }

  async #sendRest(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#sentAt = performance.now();
    // What could not be sent is found by polling.
    this.#sending = this.#send?.(this.#others.take(maxPayloadBytes)).catch(() => {});
    await this.#sending;
    this.#sending = undefined;
    this.#wait();
  }

  /** Sends what waits. */
  async stop(): Promise<void> {
    clearImmediate(this.#delivering);
    await this.#sending;
    clearTimeout(this.#waiting);
    if (!this.#others.isEmpty) await this.#sendRest();
  }
}
