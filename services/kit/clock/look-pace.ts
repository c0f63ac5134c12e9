const soonMilliseconds = 1_000;
const laterMilliseconds = 5_000;
const looksBeforeLater = 10;

/**
 * Polling interval in addition to notifications, for items that become due again and for lost notifications. Short
 * after a find, longer while nothing happens, since an idle portal should use little CPU.
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
