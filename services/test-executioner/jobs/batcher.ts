interface Waiting<Input, Output> {
  input: Input;
  /** On `performance.now()`. */
  since: number;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<Input, Output> {
  mostItems: number;
  /** What one input weighs (bytes, say), and how much a batch may weigh; one that alone is heavier goes alone. */
  weigh?: (input: Input) => number;
  mostWeight?: number;
  /** How long the first of a batch waits for others at most, where others are likely to come. */
  lingerMilliseconds: number;
  run(inputs: Input[]): Promise<Output[]>;
}

/** Of one that follows another lone one. */
const loneMilliseconds = 1;

/**
 * Collects single requests into batches, one batch at a time: what arrives while a batch is under way makes the next
 * one, so batches grow with the load. After a batch of several the next one waits for company; a lone request hardly does.
 */
export class Batcher<Input, Output> {
  readonly #options: BatcherOptions<Input, Output>;
  #waiting: Waiting<Input, Output>[] = [];
  #busy = false;
  #isCrowded = false;

  constructor(options: BatcherOptions<Input, Output>) {
    this.#options = options;
  }

  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, since: performance.now(), resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#linger();
      const batch = this.#waiting.splice(0, this.#countNext());
      this.#isCrowded = batch.length > 1;
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
    const { lingerMilliseconds, mostItems } = this.#options;
    const most = this.#isCrowded ? lingerMilliseconds : Math.min(lingerMilliseconds, loneMilliseconds);
    const left = this.#waiting[0]!.since + most - performance.now();
    if (most === 0) await new Promise((resolve) => setImmediate(resolve));
    else if (left > 0 && this.#waiting.length < mostItems) await new Promise((resolve) => setTimeout(resolve, left));
  }

  #countNext(): number {
    const { mostItems, weigh, mostWeight = Number.POSITIVE_INFINITY } = this.#options;
    if (!weigh) return mostItems;
    let weight = 0;
    for (const [index, { input }] of this.#waiting.entries()) {
      weight += weigh(input);
      if (index === mostItems || (weight > mostWeight && index > 0)) return index;
    }
    return mostItems;
  }
}

/** A batcher for each key, made when needed and dropped when idle keys pile up. */
export class KeyedBatchers<Input, Output> {
  readonly #make: (key: string) => Batcher<Input, Output>;
  readonly #batchers = new Map<string, Batcher<Input, Output>>();

  constructor(make: (key: string) => Batcher<Input, Output>) {
    this.#make = make;
  }

  for(key: string): Batcher<Input, Output> {
    const known = this.#batchers.get(key);
    if (known) return known;
    // A dropped batcher still ends what it holds; a new one beside it does no harm.
    if (this.#batchers.size >= 500) this.#batchers.clear();
    const made = this.#make(key);
    this.#batchers.set(key, made);
    return made;
  }
}
