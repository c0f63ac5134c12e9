import type { Logger } from "pino";

/** A server that shuts down closes all connections. */
const togetherMilliseconds = 1_000;

/** Logs once when the database becomes unavailable and once when it is back, regardless of the number of callers. */
export class Presence {
  readonly #log: Pick<Logger, "warn"> | undefined;
  #awaySince: number | undefined;
  #lostAt = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<Logger, "warn"> | undefined) {
    this.#log = log;
  }

  lost(error: Error): void {
    const now = performance.now();
    if (now - this.#lostAt > togetherMilliseconds) this.#warn(error, "a database connection was lost");
    this.#lostAt = now;
  }

  missed(error: Error): void {
    if (this.#awaySince !== undefined) return;
    this.#awaySince = performance.now();
    this.#warn(error, "the database does not respond");
  }

  found(): void {
    if (this.#awaySince === undefined) return;
    const seconds = Math.round((performance.now() - this.#awaySince) / 100) / 10;
    this.#awaySince = undefined;
    this.#log?.warn({ seconds }, "the database responds again");
  }

  #warn({ code, message }: Error & { code?: string }, words: string): void {
    this.#log?.warn({ code, reason: message }, words);
  }
}
