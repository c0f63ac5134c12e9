/** Bytes of a body that are read without asking for room. */
export const freeBodyBytes = 1_048_576;
/** Of all large bodies together. A body may be larger when it is the only one. */
const roomBytes = 64 * 1_048_576;

interface Waiting {
  bytes: number;
  use(): void;
}

/**
 * Memory for large bodies, shared by the requests of a process: whatever their number, no more than this is read at a
 * time, and what does not fit waits. Each takes what it may need at once, so that none waits for more while it holds
 * some. Owners take turns.
 */
export class BodyRoom {
  readonly #totalBytes: number;
  readonly #waiting = new Map<string, Waiting[]>();
  #usedBytes = 0;

  constructor(totalBytes = roomBytes) {
    this.#totalBytes = totalBytes;
  }

  get isEmpty(): boolean {
    return this.#usedBytes === 0 && this.#waiting.size === 0;
  }

  /**
   * Calls `use` when there is room, at once if there is.
   * @returns a function that gives the room back, or withdraws while waiting
   */
  acquire(owner: string, bytes: number, use: () => void): () => void {
    let hasRoom = false;
    let isReleased = false;
    const waiting: Waiting = {
      bytes,
      use() {
        hasRoom = true;
        use();
      },
    };
    const own = this.#waiting.get(owner);
    if (own) own.push(waiting);
    else this.#waiting.set(owner, [waiting]);
    this.#serve();
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (hasRoom) this.#usedBytes -= bytes;
      else this.#withdraw(owner, waiting);
      this.#serve();
    };
  }

  #withdraw(owner: string, waiting: Waiting): void {
    const others = (this.#waiting.get(owner) ?? []).filter((other) => other !== waiting);
    if (others.length > 0) this.#waiting.set(owner, others);
    else this.#waiting.delete(owner);
  }

  /** The next one waits for its room, and those after it too: a large body is not overtaken forever by smaller ones. */
  #serve(): void {
    for (const [owner, own] of this.#waiting) {
      const [next, ...others] = own as [Waiting, ...Waiting[]];
      if (this.#usedBytes > 0 && this.#usedBytes + next.bytes > this.#totalBytes) return;
      this.#usedBytes += next.bytes;
      this.#waiting.delete(owner);
      if (others.length > 0) this.#waiting.set(owner, others);
      next.use();
    }
  }
}
