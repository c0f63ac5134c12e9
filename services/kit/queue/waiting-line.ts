/** Fetched jobs that wait for a free place, fair between groups: the group with the fewest running goes first. */
export class WaitingLine<Entry extends { group: string | null }> {
  readonly #lines = new Map<string, Entry[]>();
  readonly #running = new Map<string, number>();
  readonly #capPerGroup: number;
  waiting = 0;
  running = 0;

  constructor(capPerGroup: number) {
    this.#capPerGroup = capPerGroup;
  }

  add(entry: Entry): void {
    const group = entry.group ?? "";
    const line = this.#lines.get(group);
    if (line) line.push(entry);
    else this.#lines.set(group, [entry]);
    this.waiting += 1;
  }

  /** Takes the next entry whose group is below its cap, and counts it as running. */
  take(): Entry | undefined {
    let chosen: string | undefined;
    let fewest = this.#capPerGroup;
    for (const group of this.#lines.keys()) {
      const running = this.#running.get(group) ?? 0;
      if (running >= fewest) continue;
      chosen = group;
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

  /** A running entry has ended. */
  leave(entry: Entry): void {
    const group = entry.group ?? "";
    const running = (this.#running.get(group) ?? 1) - 1;
    if (running > 0) this.#running.set(group, running);
    else this.#running.delete(group);
    this.running -= 1;
  }

  /** Groups with enough in hand: fetching more of theirs would only keep it from other workers. */
  listSatisfied(enough: number): string[] {
    return [...this.#lines].filter(([group, line]) => group !== "" && line.length >= enough).map(([group]) => group);
  }

  list(): Entry[] {
    return [...this.#lines.values()].flat();
  }

  /** Empties the line. */
  drain(): Entry[] {
    const entries = this.list();
    this.#lines.clear();
    this.waiting = 0;
    return entries;
  }
}
