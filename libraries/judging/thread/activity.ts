/** Progress of the judging thread, in shared memory: a busy thread can't send messages that would be read in time. */
export class JudgingActivity {
  readonly memory: SharedArrayBuffer;
  private readonly words: Int32Array;

  constructor(memory = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.words = new Int32Array(memory);
  }

  /**
   * Thread: an evaluation starts and may take this long. Item 0: none is running, and the next may take this long to
   * start.
   */
  begin(item: number, task: number, limitMilliseconds: number): void {
    Atomics.store(this.words, 1, item);
    Atomics.store(this.words, 2, task);
    Atomics.store(this.words, 3, limitMilliseconds);
    Atomics.add(this.words, 0, 1);
  }

  /** Thread: changes the limit of the running evaluation. */
  allow(limitMilliseconds: number): void {
    Atomics.store(this.words, 3, limitMilliseconds);
    Atomics.add(this.words, 0, 1);
  }

  /** Watcher: `step` changes with every start. */
  read(): { step: number; item: number; task: number; limitMilliseconds: number } {
    return {
      step: Atomics.load(this.words, 0),
      item: Atomics.load(this.words, 1),
      task: Atomics.load(this.words, 2),
      limitMilliseconds: Atomics.load(this.words, 3),
    };
  }
}
