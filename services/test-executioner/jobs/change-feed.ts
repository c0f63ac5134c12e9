import { EventEmitter } from "node:events";
import type { Subscribe } from "../../kit/database/notifications.ts";
import { changeChannel, readChanges } from "../store/changes.ts";

/** Runs that have changed, each with the APIs of what changed; undefined where anything may have. */
export type RunChanges = Map<string, Set<string>> | undefined;

/**
 * Hears what any process tells of runs that have changed. It may miss something when a connection breaks: who waits for
 * an end looks once a second as well.
 */
export class ChangeFeed {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #end: () => void = () => {};

  async listen(subscribe: Subscribe): Promise<void> {
    this.#end = await subscribe(changeChannel, (payload) => {
      if (this.#emitter.listenerCount("change") > 0) this.#emitter.emit("change", readChanges(payload));
    });
  }

  /** @returns ends the subscription */
  subscribe(listener: (changes: RunChanges) => void): () => void {
    this.#emitter.on("change", listener);
    return () => this.#emitter.off("change", listener);
  }

  stop(): void {
    this.#end();
  }
}
