import { type QueryExecutorProvider, sql } from "kysely";
import pg from "pg";
import { prepared } from "./prepared.ts";

/**
 * Hears what was told on a channel. `undefined` says that something may have been missed (the connection was lost and is
 * back): look for yourself.
 */
export type NotificationListener = (payload: string | undefined) => void;

/**
 * Begins to listen on a channel (a name in lower case); resolves once what is told from then on arrives.
 * Answers what ends it.
 */
export type Subscribe = (channel: string, listener: NotificationListener) => Promise<() => void>;

/** PostgreSQL's limit is 8,000 bytes. */
const mostPayloadBytes = 7_900;

/**
 * Tells every process on this database, this one too, when the transaction commits; never when it is rolled back.
 * Payloads are hints to look, not messages to rely on: a process that is away hears nothing. Twice the same in one
 * transaction arrives once.
 */
export async function notify(executor: QueryExecutorProvider, channel: string, payload = ""): Promise<void> {
  if (Buffer.byteLength(payload) > mostPayloadBytes) throw new Error(`A notification on ${channel} is too large.`);
  await sql`${prepared("notify")} select pg_notify(${channel}, ${payload})`.execute(executor);
}

/** Listeners by channel, and what has to be done for the first and after the last of a channel. */
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

  tell(channel: string, payload: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
  }

  tellAllToLook(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }
}

const reconnectMilliseconds = 500;
/** Finds a connection that a firewall has dropped without a word. */
const keepAliveMilliseconds = 10_000;

/** Listens on PostgreSQL over one connection of its own, opened with the first channel and opened anew when it breaks. */
export class PostgresListener {
  readonly #connectionString: string;
  readonly #channels = new Channels();
  #client: Promise<pg.Client> | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #closed = false;
  /** Whether what is told arrives. True before anybody listens. */
  isConnected = true;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  readonly subscribe: Subscribe = async (channel, listener) => {
    const isFirst = this.#channels.add(channel, listener);
    if (!this.#client) await this.#open();
    // One that has just broken listens to all channels again when it is back.
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
      // Many begin to listen at once.
      pipeline: true,
    });
    client.on("notification", ({ channel, payload }) => this.#channels.tell(channel, payload ?? ""));
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
        this.#channels.tellAllToLook();
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
