import { EventEmitter } from "node:events";

export interface ExecutionChange {
  organizationId: string;
  apiId: string;
  testId: string;
  executionId: string;
  /** It will not change any more. */
  ended: boolean;
}

/**
 * Tells watchers in this process that executions have changed. What other processes do is found by looking at the
 * database once a second.
 */
export class Progress {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  publish(changes: ExecutionChange[]): void {
    if (changes.length > 0 && this.#emitter.listenerCount("change") > 0) this.#emitter.emit("change", changes);
  }

  /** @returns ends the subscription */
  subscribe(listener: (changes: ExecutionChange[]) => void): () => void {
    this.#emitter.on("change", listener);
    return () => this.#emitter.off("change", listener);
  }
}
