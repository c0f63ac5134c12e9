const soonMilliseconds = 1_000;
const laterMilliseconds = 5_000;
const pollsBeforeLater = 10;

/**
 * Polling interval in addition to notifications, for items that become due again and for lost notifications. Short
 * after a find, longer while nothing happens, since an idle portal should use little CPU.
 */
export class PollPace {
  #emptyPolls = 0;

  record(found: boolean): void {
    this.#emptyPolls = found ? 0 : this.#emptyPolls + 1;
  }

  /** Until the next look. */
  get milliseconds(): number {
    return this.#emptyPolls < pollsBeforeLater ? soonMilliseconds : laterMilliseconds;
  }
}
