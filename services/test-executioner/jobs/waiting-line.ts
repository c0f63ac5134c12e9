/**
 * Claimed executions waiting for a free slot, fair between organizations: the one with the fewest running goes first.
 */
export class WaitingLine<Entry extends { organizationId: string }> {
  readonly #lines = new Map<string, Entry[]>();
  readonly #running = new Map<string, number>();
  /** Maximum running executions of one organization. */
  capOfOne: number;
  waiting = 0;
  running = 0;

  constructor(capOfOne: number) {
    this.capOfOne = capOfOne;
  }

  add(entry: Entry): void {
    const line = this.#lines.get(entry.organizationId);
    if (line) line.push(entry);
    else this.#lines.set(entry.organizationId, [entry]);
    this.waiting += 1;
  }

  /** Takes the next entry whose organization is below its cap, and counts it as running. */
  take(): Entry | undefined {
    let chosen: string | undefined;
    let fewest = this.capOfOne;
    for (const organization of this.#lines.keys()) {
      const running = this.#running.get(organization) ?? 0;
      if (running >= fewest) continue;
      chosen = organization;
      fewest = running;
    }
    if (chosen === undefined) return undefined;
    const line = this.#lines.get(chosen)!;
    const entry = line.shift()!;
    if (line.length === 0) this.#lines.delete(chosen);
    this.waiting -= 1;
    this.running += 1;
    this.#running.set(chosen, fewest + 1);
    return entry;
  }

  /** Called when a running entry has ended. */
  leave({ organizationId }: Entry): void {
    const running = (this.#running.get(organizationId) ?? 1) - 1;
    if (running > 0) this.#running.set(organizationId, running);
    else this.#running.delete(organizationId);
    this.running -= 1;
  }

  /** How many more executions of each organization with claimed ones would fill its cap and the reserve behind it. */
  listCapacities(reserve: number): Map<string, number> {
    const capacities = new Map<string, number>();
    for (const organization of new Set([...this.#lines.keys(), ...this.#running.keys()])) {
      const inHand = (this.#lines.get(organization)?.length ?? 0) + (this.#running.get(organization) ?? 0);
      capacities.set(organization, Math.max(0, this.capOfOne + reserve - inHand));
    }
    return capacities;
  }

  countWaiting(organizationId: string): number {
    return this.#lines.get(organizationId)?.length ?? 0;
  }

  /** How many waiting entries could start if there were slots: those behind a full cap can't. */
  countStartable(): number {
    let startable = 0;
    for (const [organization, line] of this.#lines) {
      startable += Math.min(line.length, this.capOfOne - (this.#running.get(organization) ?? 0));
    }
    return startable;
  }

  list(): Entry[] {
    return [...this.#lines.values()].flat();
  }

  /** Removes and returns the waiting entries that match. */
  remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed = this.list().filter(matches);
    for (const [organization, line] of [...this.#lines]) {
      const stored = line.filter((entry) => !matches(entry));
      if (stored.length > 0) this.#lines.set(organization, stored);
      else this.#lines.delete(organization);
    }
    this.waiting -= removed.length;
    return removed;
  }

  /** Removes and returns all entries. */
  drain(): Entry[] {
    const entries = this.list();
    this.#lines.clear();
    this.waiting = 0;
    return entries;
  }
}
