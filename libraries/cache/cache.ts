/**
 * A bounded memory, by an estimated size: of what was used last, or, with a time limit, of what was stored last.
 */
export class Cache<Value> {
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
    if (this.#keptMilliseconds === Number.POSITIVE_INFINITY) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }

  set(key: string, value: Value, size = 1): void {
    this.delete(key);
    this.#forgetOld();
    this.#entries.set(key, { value, size, until: performance.now() + this.#keptMilliseconds });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) break;
      this.delete(oldest);
    }
  }

  /** With a limit entries stand in the order of their ends. What is too old may be a secret: it does not stay about. */
  #forgetOld(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#entries) {
      if (until >= now) break;
      this.delete(key);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
