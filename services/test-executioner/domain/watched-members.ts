import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isFailure } from "./verdict.ts";

/** How many of a run's failures are reported before all others. */
export const maxFirstFailures = 5;

/** The members that a watcher wants to receive: those at these positions, and the first failures at any position. */
export class WatchedMembers {
  readonly #from: number;
  readonly #to: number;
  /** Positions, in ascending order. */
  #failures: number[] = [];

  constructor({ from = 0, to = Number.MAX_SAFE_INTEGER }: { from?: number; to?: number }) {
    this.#from = from;
    this.#to = to;
  }

  isWatched({ position, verdict }: { position: number; verdict: Verdict | null }): boolean {
    const isFirstFailure = isFailure(verdict) && this.#isAmongFirst(position);
    return isFirstFailure || (position >= this.#from && position <= this.#to);
  }

  #isAmongFirst(position: number): boolean {
    this.#failures = [...this.#failures, position].sort((a, b) => a - b).slice(0, maxFirstFailures);
    return this.#failures.includes(position);
  }
}
