/** A bounded memory of what was used last, by an estimated size, each entry for a limited time. */
export class Recent<Value> {
  readonly #most: number;
  readonly #keptMilliseconds: number;
  readonly #entries = new Map<string, { value: Value; size: number; until: number }>();
  #size = 0;

  constructor(options: { most: number; keptMilliseconds?: number }) {
    this.#most = options.most;
    this.#keptMilliseconds = options.keptMilliseconds ?? Number.POSITIVE_INFINITY;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until < performance.now()) {
      this.delete(key);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, size = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, size, until: performance.now() + this.#keptMilliseconds });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
