import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "pino";
import { Channels, type Subscribe } from "../database/notifications.ts";
import type { Notification } from "../database/prepared.ts";
import type { SignalCarrier } from "../database/signal-carrier.ts";
import { Offers } from "./offers.ts";

export interface NatsOptions {
  /** Addresses of one cluster, separated by commas; a user name and password, or a token alone, before the `@`. */
  url: string;
  /** Part of this installation's subjects, so that several can share a cluster: letters and digits. */
  installation: string;
  /** How many servers keep each offer. Default 1. */
  replicas?: number;
  /** Channels that are delivered within this process only, since their work is offered instead. */
  offeredChannels?: readonly string[];
  /** Channels that the database's own triggers notify. */
  databaseChannels?: readonly string[];
  log: Pick<Logger, "info" | "warn">;
}

const reconnectMilliseconds = 500;

/** Servers and credentials as options of the client, which reads none from an address. */
export function readNatsUrl(url: string) {
  const addresses = url.split(",").map((address) => new URL(address.trim()));
  const { username, password, protocol } = addresses[0]!;
  const who = decodeURIComponent(username);
  return {
    servers: addresses.map(({ host }) => host),
    ...(password ? { user: who, pass: decodeURIComponent(password) } : who ? { token: who } : {}),
    ...(protocol === "tls:" ? { tls: {} } : {}),
  };
}

/**
 * Carries notifications between the processes of an installation instead of the database, and offers of waiting work.
 * Both are hints: while no server is reachable, listeners poll the database as they do without NATS.
 */
export class Nats implements SignalCarrier {
  readonly offers: Offers;
  readonly #channels = new Channels();
  readonly #prefix: string;
  readonly #offered: ReadonlySet<string>;
  readonly #inDatabase: ReadonlySet<string>;
  readonly #connecting: Promise<NatsConnection>;
  #connection: NatsConnection | undefined;
  #isConnected = false;

  constructor({ url, installation, replicas = 1, offeredChannels = [], databaseChannels = [], log }: NatsOptions) {
    this.#prefix = `assurance.${installation}`;
    this.#offered = new Set(offeredChannels);
    this.#inDatabase = new Set(databaseChannels);
    this.#connecting = connect({
      ...readNatsUrl(url),
      name: "api-assurance-portal",
      // Own notifications are delivered when their transaction commits.
      noEcho: true,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMilliseconds,
      pingInterval: 10_000,
    });
    this.#connecting.then((connection) => this.#follow(connection, log)).catch(() => {});
    this.offers = new Offers({
      ...{ installation, replicas, log },
      connect: async () => await this.#connecting,
      isConnected: () => this.#isConnected,
    });
  }

  /** Whether notifications arrive. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  carries(channel: string): boolean {
    return !this.#inDatabase.has(channel);
  }

  /** Resolves at once: what is notified before the first connection is found by polling. */
  readonly subscribe: Subscribe = async (channel, listener) => {
    this.#channels.add(channel, listener);
    return () => this.#channels.remove(channel, listener);
  };

  /** Delivers to listeners of this process. */
  readonly deliver = ({ channel, payload }: Notification): void => this.#channels.notify(channel, payload);

  /** Notifies all other processes; does nothing while there is no connection. */
  readonly send = async (notifications: Notification[]): Promise<void> => {
    if (!this.#isConnected) return;
    for (const { channel, payload } of notifications) {
      if (!this.#offered.has(channel)) this.#connection!.publish(`${this.#prefix}.signal.${channel}`, payload);
    }
  };

  async #follow(connection: NatsConnection, log: NatsOptions["log"]): Promise<void> {
    this.#connection = connection;
    const signals = `${this.#prefix}.signal.`;
    connection.subscribe(`${signals}*`, {
      callback: (_, message) => this.#channels.notify(message.subject.slice(signals.length), message.string()),
    });
    await connection.flush();
    this.#isConnected = true;
    this.#channels.notifyAll();
    log.info({ server: connection.getServer() }, "connected to NATS");
    for await (const { type } of connection.status()) {
      if (type === "disconnect") {
        this.#isConnected = false;
        log.warn("the connection to NATS was lost, polling the database");
      } else if (type === "reconnect") {
        this.#isConnected = true;
        this.#channels.notifyAll();
        log.info({ server: connection.getServer() }, "connected to NATS");
      }
    }
  }

  async close(): Promise<void> {
    this.#isConnected = false;
    await this.offers.close();
    // Attempts to connect for the first time end with the process.
    await this.#connection?.close();
  }
}
