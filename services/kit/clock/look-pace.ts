const soonMilliseconds = 1_000;
const laterMilliseconds = 5_000;
const looksBeforeLater = 10;

/**
 * How often somebody looks who is also told: for what is due again, and for what a lost notification did not tell. Often
 * after something was found; seldom where nothing happens, since an idle portal is to leave its machine alone.
 */
export class LookPace {
  #inVain = 0;

  looked(found: boolean): void {
    this.#inVain = found ? 0 : this.#inVain + 1;
  }

  /** Until the next look. */
  get milliseconds(): number {
    return this.#inVain < looksBeforeLater ? soonMilliseconds : laterMilliseconds;
  }
}
