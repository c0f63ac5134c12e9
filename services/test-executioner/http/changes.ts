import type { Feed } from "../jobs/feeds.ts";

/** Missed notifications are found by polling. */
const pollMilliseconds = 1_000;

/** Waits for changes without missing those that arrive while the watcher reads the database. */
export class Changes<Change> {
  readonly #unsubscribe: () => void;
  readonly #signal: AbortSignal;
  #changed = false;
  #wake: () => void = () => {};

  constructor(feed: Feed<Change>, concerns: (change: Change) => boolean, signal: AbortSignal) {
    this.#signal = signal;
    this.#unsubscribe = feed.subscribe((change) => {
      if (this.#changed || (change && !concerns(change))) return;
      this.#changed = true;
      this.#wake();
    });
  }

  /** Resolves shortly after the next change, to include those that follow it, or when it is time to poll. */
  async next(collect: number): Promise<void> {
    if (!this.#changed) await this.#pause(pollMilliseconds, true);
    if (collect > 0) await this.#pause(collect, false);
    this.#changed = false;
  }

  #pause(milliseconds: number, untilChanged: boolean): Promise<void> {
    return new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      if (untilChanged) this.#wake = end;
      this.#signal.addEventListener("abort", end);
      if (this.#signal.aborted) end();
    });
  }

  end(): void {
    this.#unsubscribe();
  }
}
