import type { Subscribe } from "./notifications.ts";
import type { PostgresListener } from "./postgres-listener.ts";
import type { Notification } from "./prepared.ts";

/** Carries notifications between processes instead of the database. */
export interface SignalCarrier {
  /** Whether notifications arrive. */
  readonly isConnected: boolean;
  /** False for channels that the database's own triggers notify. */
  carries(channel: string): boolean;
  subscribe: Subscribe;
  /** Delivers to listeners of this process. */
  deliver(notification: Notification): void;
  /** Notifies all other processes. */
  send(notifications: Notification[]): Promise<void>;
}

/** Listens to the carrier, and to the database for channels that triggers notify. */
export function combineWithDatabase(carrier: SignalCarrier, database: PostgresListener) {
  const subscribe: Subscribe = async (channel, listener) =>
    await (carrier.carries(channel) ? carrier : database).subscribe(channel, listener);
  return {
    subscribe,
    deliver: carrier.deliver,
    send: carrier.send,
    get isConnected() {
      return carrier.isConnected && database.isConnected;
    },
    close: () => database.close(),
  };
}
