import { acrossOrganizations } from "../database/organization-scope.ts";

interface Waiting<Input, Output> {
  input: Input;
  /** Latest start of its batch, as `performance.now()`. */
  until: number;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<Input, Output> {
  maxItems: number;
  /** Weight of one input, such as its bytes, and the limit per batch; a heavier input forms a batch alone. */
  weigh?: (input: Input) => number;
  maxWeight?: number;
  /** Maximum time that the first input of a batch waits for others. */
  lingerMilliseconds: number;
  run(inputs: Input[]): Promise<Output[]>;
}

/**
 * Collects single requests into batches, one batch at a time: inputs that arrive while a batch is running form the
 * next one, so batches grow with the load. An urgent input starts its batch immediately.
 */
export class Batcher<Input, Output> {
  readonly #options: BatcherOptions<Input, Output>;
  #waiting: Waiting<Input, Output>[] = [];
  #busy = false;
  #stopLingering: () => void = () => {};

  constructor(options: BatcherOptions<Input, Output>) {
    this.#options = options;
  }

  /** @param isUrgent when few other inputs are expected, or a result is being waited for */
  add(input: Input, isUrgent = false): Promise<Output> {
    const { lingerMilliseconds, maxItems } = this.#options;
    return new Promise((resolve, reject) => {
      const until = performance.now() + (isUrgent ? 0 : lingerMilliseconds);
      this.#waiting.push({ input, until, resolve, reject });
      if (isUrgent || this.#waiting.length >= maxItems) this.#stopLingering();
      if (this.#busy) return;
      this.#busy = true;
      // A batch serves all its callers, not only the first one's organization.
      void acrossOrganizations(() => this.#runAll());
    });
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#linger();
      const batch = this.#waiting.splice(0, this.#countNext());
      try {
        const outputs = await this.#options.run(batch.map(({ input }) => input));
        for (const [index, { resolve }] of batch.entries()) resolve(outputs[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#busy = false;
  }

  async #linger(): Promise<void> {
    const isFull = this.#waiting.length >= this.#options.maxItems;
    const left = isFull ? 0 : Math.min(...this.#waiting.map(({ until }) => until)) - performance.now();
    await new Promise<void>((resolve) => {
      if (left <= 0) {
        setImmediate(resolve);
        return;
      }
      const timer = setTimeout(resolve, left);
      this.#stopLingering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #countNext(): number {
    const { maxItems, weigh, maxWeight = Number.POSITIVE_INFINITY } = this.#options;
    if (!weigh) return maxItems;
    let weight = 0;
    for (const [index, { input }] of this.#waiting.entries()) {
      weight += weigh(input);
      if (index === maxItems || (weight > maxWeight && index > 0)) return index;
    }
    return maxItems;
  }
}

/** One batcher per key, created on demand and dropped when idle keys accumulate. */
export class KeyedBatchers<Input, Output> {
  readonly #make: (key: string) => Batcher<Input, Output>;
  readonly #batchers = new Map<string, Batcher<Input, Output>>();

  constructor(make: (key: string) => Batcher<Input, Output>) {
    this.#make = make;
  }

  for(key: string): Batcher<Input, Output> {
    const known = this.#batchers.get(key);
    if (known) return known;
    // A dropped batcher still completes its inputs; a second one with the same key does no harm.
    if (this.#batchers.size >= 500) this.#batchers.clear();
    const made = this.#make(key);
    this.#batchers.set(key, made);
    return made;
  }
}
