/** Why an exploration was ended from outside; `lost`: it was deleted, or another process has ended it. */
export type EndingReason = "seconds" | "cancelled" | "stopping" | "lost";

/** Ends an exploration: what it made may still be removed for a while, then its last request is interrupted. */
export class ExplorationEnding {
  readonly #ending = new AbortController();
  readonly #interrupting = new AbortController();
  readonly #removingMilliseconds: number;
  #timer: NodeJS.Timeout | undefined;
  reason: EndingReason | undefined;

  constructor(removingMilliseconds: number) {
    this.#removingMilliseconds = removingMilliseconds;
  }

  /** Aborts when nothing new may be tried. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Aborts when nothing may be sent any more. */
  get interrupting(): AbortSignal {
    return this.#interrupting.signal;
  }

  end(reason: EndingReason): void {
    if (this.#ending.signal.aborted) return;
    this.reason = reason;
    this.#timer = setTimeout(() => this.#interrupting.abort(), this.#removingMilliseconds);
    this.#ending.abort();
  }

  /** It has ended, for whatever reason. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#ending.abort();
    this.#interrupting.abort();
  }
}
