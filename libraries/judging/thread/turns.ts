/**
 * A queue for several owners. They take turns: however many items one owner has queued, the next is another owner's.
 */
export class Turns<Waiting> {
  readonly #byOwner = new Map<string, Waiting[]>();
  readonly #putBack: Waiting[] = [];

  add(owner: string, waiting: Waiting): void {
    const own = this.#byOwner.get(owner);
    if (own) own.push(waiting);
    else this.#byOwner.set(owner, [waiting]);
  }

  /** Puts back items that had their turn: they precede all others, in the order in which they were taken. */
  putBack(waiting: Waiting[]): void {
    this.#putBack.unshift(...waiting);
  }

  take(): Waiting | undefined {
    const returned = this.#putBack.shift();
    if (returned !== undefined) return returned;
    for (const [owner, own] of this.#byOwner) {
      const [next] = own.splice(0, 1);
      this.#byOwner.delete(owner);
      if (own.length > 0) this.#byOwner.set(owner, own);
      return next;
    }
    return undefined;
  }

  drain(): Waiting[] {
    const all = [...this.#putBack.splice(0), ...[...this.#byOwner.values()].flat()];
    this.#byOwner.clear();
    return all;
  }
}
