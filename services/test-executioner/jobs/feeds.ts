import { EventEmitter } from "node:events";
import type { Subscribe } from "../../kit/database/notifications.ts";
import { changeChannel, endChannel, readChanges, readEnds } from "../store/changes.ts";

/**
 * Receives notifications of any process on a channel. It may miss some when a connection breaks: waiting callers also
 * poll once a second.
 */
export class Feed<Change> {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  readonly #channel: string;
  readonly #read: (payload: string | undefined) => Change | undefined;
  #end: () => void = () => {};

  constructor(channel: string, read: (payload: string | undefined) => Change | undefined) {
    this.#channel = channel;
    this.#read = read;
  }

  async listen(subscribe: Subscribe): Promise<void> {
    this.#end = await subscribe(this.#channel, (payload) => {
      if (this.#emitter.listenerCount("told") > 0) this.#emitter.emit("told", this.#read(payload));
    });
  }

  /**
   * The listener gets undefined if notifications may have been missed.
   * @returns ends the subscription
   */
  subscribe(listener: (change: Change | undefined) => void): () => void {
    this.#emitter.on("told", listener);
    return () => this.#emitter.off("told", listener);
  }

  stop(): void {
    this.#end();
  }
}

/** Changed runs, each with the APIs of the changes. */
export type ChangeFeed = Feed<Map<string, Set<string>>>;
export const createChangeFeed = (): ChangeFeed => new Feed(changeChannel, readChanges);

/** Runs that have ended. */
export type EndFeed = Feed<Set<string>>;
export const createEndFeed = (): EndFeed => new Feed(endChannel, readEnds);
