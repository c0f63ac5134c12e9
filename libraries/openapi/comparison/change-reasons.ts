/** Differences between two versions of an operation, as sentences; the first breaking one makes the change breaking. */
export class ChangeReasons {
  readonly reasons: string[] = [];
  breaking = false;
  #left = 0;

  constructor(private readonly max = 30) {}

  /** A change that may break existing callers. */
  breaks(reason: string): void {
    this.breaking = true;
    this.#add(reason);
  }

  notes(reason: string): void {
    this.#add(reason);
  }

  finish(): string[] {
    return this.#left > 0 ? [...this.reasons, `And ${this.#left} more differences.`] : this.reasons;
  }

  #add(reason: string): void {
    if (this.reasons.includes(reason)) return;
    if (this.reasons.length < this.max) this.reasons.push(reason);
    else this.#left += 1;
  }
}
