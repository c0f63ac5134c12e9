import type { Worker } from "node:worker_threads";

/** Even a machine busy with other work gives a thread this share of its time. */
const patience = 20;

/**
 * Ends a worker's task that takes too much work. Its processor time is counted and not the clock, which also advances
 * while other processes run. Waiting for others, such as servers of files, counts by the clock.
 */
export class WorkLimit {
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #usedAtStart: number | undefined;
  #waited = 0;
  #waitingSince: number | undefined;
  #isWaiting = 0;

  constructor(
    private readonly worker: Worker,
    private readonly limitMilliseconds: number,
    private readonly onOver: () => void,
  ) {
    this.#timer = setInterval(() => void this.#check(), Math.min(1_000, limitMilliseconds / 4));
    this.#timer.unref();
    void this.#check();
  }

  async whileWaiting<Result>(waiting: Promise<Result>): Promise<Result> {
    if (this.#isWaiting === 0) this.#waitingSince = performance.now();
    this.#isWaiting += 1;
    try {
      return await waiting;
    } finally {
      this.#isWaiting -= 1;
      if (this.#isWaiting === 0) {
        this.#waited += performance.now() - this.#waitingSince!;
        this.#waitingSince = undefined;
      }
    }
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const used = await measureProcessorTime(this.worker);
    this.#usedAtStart ??= used;
    const now = performance.now();
    const waited = this.#waited + (this.#waitingSince === undefined ? 0 : now - this.#waitingSince);
    const elapsed = now - this.#startedAt;
    const work = Math.min(used - this.#usedAtStart, elapsed) + waited;
    if (work <= this.limitMilliseconds && elapsed <= patience * this.limitMilliseconds) return;
    this.end();
    this.onOver();
  }
}

type Measured = Worker & { cpuUsage?(): Promise<NodeJS.CpuUsage> };

/** Milliseconds of the thread; before Node 24 those of the whole process, an upper bound as the clock is. */
async function measureProcessorTime(worker: Measured): Promise<number> {
  // A thread that has ended can't be measured; its exit is reported elsewhere.
  const { user, system } = (await worker.cpuUsage?.().catch(() => undefined)) ?? process.cpuUsage();
  return (user + system) / 1_000;
}
