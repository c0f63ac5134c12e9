import pg from "pg";
import { Channels, type Subscribe } from "./notifications.ts";
import type { Notification } from "./prepared.ts";

const reconnectMilliseconds = 500;
/** Detects a connection that a firewall has silently dropped. */
const keepAliveMilliseconds = 10_000;

/**
 * A notification takes a lock that is shared by the whole server until its commit is on the disk. Nothing is stored
 * here, so this one need not wait for the disk.
 */
const prepareText = "select pg_backend_pid() as pid, set_config('synchronous_commit', 'off', false)";
const sendText = `select pg_notify(channel, payload)
  from unnest($1::text[], $2::text[]) as given(channel, payload)`;

/**
 * Listens and notifies on PostgreSQL over a separate connection, opened with the first channel and reopened when it
 * breaks.
 */
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

  /** Delivers to listeners of this process. */
  readonly deliver = ({ channel, payload }: Notification): void => this.#channels.notify(channel, payload);

  /** Notifies all other processes. */
  readonly send = async (notifications: Notification[]): Promise<void> => {
    if (!this.#client) await this.#open();
    const client = await this.#client!;
    await client.query({
      name: "send_notifications",
      text: sendText,
      values: [notifications.map(({ channel }) => channel), notifications.map(({ payload }) => payload)],
    });
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
    let ownPid: number | undefined;
    client.on("notification", ({ channel, payload, processId }) => {
      // Its own were delivered at their commit.
      if (processId !== ownPid) this.#channels.notify(channel, payload ?? "");
    });
    client.on("error", () => {});
    client.on("end", () => {
      this.isConnected = false;
      this.#reconnect();
    });
    await client.connect();
    // Not the client's own figure, which is made up where a connection pooler is between them.
    const { rows } = await client.query<{ pid: number }>(prepareText);
    ownPid = rows[0]!.pid;
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
