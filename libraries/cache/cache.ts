/**
 * A cache bounded by an estimated size: least recently used entries are evicted first, or, with a time limit, the
 * oldest.
 */
export class Cache<Value> {
  readonly #maxSize: number;
  readonly #maxAgeMilliseconds: number;
  readonly #entries = new Map<string, { value: Value; size: number; until: number }>();
  #size = 0;

  constructor(options: { maxSize: number; maxAgeMilliseconds?: number }) {
    this.#maxSize = options.maxSize;
    this.#maxAgeMilliseconds = options.maxAgeMilliseconds ?? Number.POSITIVE_INFINITY;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until < performance.now()) {
      this.delete(key);
      return undefined;
    }
    if (this.#maxAgeMilliseconds === Number.POSITIVE_INFINITY) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }

  set(key: string, value: Value, size = 1): void {
    this.delete(key);
    this.#removeExpired();
    this.#entries.set(key, { value, size, until: performance.now() + this.#maxAgeMilliseconds });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.delete(oldest);
    }
  }

  /** With a time limit, entries are ordered by expiry. Expired entries may be secrets, so they are removed promptly. */
  #removeExpired(): void {
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
