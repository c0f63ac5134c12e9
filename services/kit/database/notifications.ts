import { type QueryExecutorProvider, sql } from "kysely";
import pg from "pg";
import { prepared } from "./prepared.ts";

/**
 * Receives a channel's notifications. `undefined` means that some may have been missed (the connection was lost and
 * restored): poll once.
 */
export type NotificationListener = (payload: string | undefined) => void;

/**
 * Starts listening on a channel (a lower-case name); resolves once notifications from then on arrive. Returns a
 * function that stops it.
 */
export type Subscribe = (channel: string, listener: NotificationListener) => Promise<() => void>;

/** PostgreSQL's limit is 8,000 bytes. */
const maxPayloadBytes = 7_900;

/**
 * Notifies every process on this database, including this one, when the transaction commits; never when it is rolled
 * back. Payloads are hints to poll, not reliable messages: a disconnected process receives nothing. Duplicates within
 * one transaction arrive once.
 */
export async function notify(executor: QueryExecutorProvider, channel: string, payload = ""): Promise<void> {
  if (Buffer.byteLength(payload) > maxPayloadBytes) throw new Error(`A notification on ${channel} is too large.`);
  await sql`${prepared("notify")} select pg_notify(${channel}, ${payload})`.execute(executor);
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

const reconnectMilliseconds = 500;
/** Detects a connection that a firewall has silently dropped. */
const keepAliveMilliseconds = 10_000;

/** Listens on PostgreSQL over a separate connection, opened with the first channel and reopened when it breaks. */
export class PostgresListener {
  readonly #connectionString: string;
  readonly #channels = new Channels();
  #client: Promise<pg.Client> | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #closed = false;
  /** Whether notifications arrive. True before the first listener. */
  isConnected = true;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  readonly subscribe: Subscribe = async (channel, listener) => {
    const isFirst = this.#channels.add(channel, listener);
    if (!this.#client) await this.#open();
    // After a break, the restored connection listens to all channels again.
    else if (isFirst) await this.#client.then((client) => this.#listen(client, channel)).catch(() => {});
    return () => this.#channels.remove(channel, listener);
  };

  async #open(): Promise<void> {
    this.#client = this.#connect();
    try {
      await this.#client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMilliseconds,
      application_name: "api-assurance-portal listener",
      // Many listeners may start at once.
      pipeline: true,
    });
    client.on("notification", ({ channel, payload }) => this.#channels.notify(channel, payload ?? ""));
    client.on("error", () => {});
    client.on("end", () => {
      this.isConnected = false;
      this.#reconnect();
    });
    await client.connect();
    for (const channel of this.#channels.names) await this.#listen(client, channel);
    this.isConnected = true;
    return client;
  }

  async #listen(client: pg.Client, channel: string): Promise<void> {
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  }

  #reconnect(): void {
    if (this.#closed || this.#reconnecting) return;
    this.#reconnecting = setTimeout(async () => {
      this.#reconnecting = undefined;
      try {
        await this.#open();
        this.#channels.notifyAll();
      } catch {
        this.#reconnect();
      }
    }, reconnectMilliseconds);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#reconnecting);
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }
}
