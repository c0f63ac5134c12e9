import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { AnyTables } from "../database/database.ts";
import { Handover } from "./handover.ts";
import type { Job } from "./job.ts";
import type { QueueExecutor } from "./statements.ts";
import { WaitingLine } from "./waiting-line.ts";

export interface Held {
  /** Aborted when the process stops and the job has used up its time to finish. */
  signal: AbortSignal;
  /** False once the lease may have run out (a frozen process, a database that was away): write nothing then. */
  isHeld(): boolean;
  /**
   * Gives the job's place to the next one while the lease goes on. For the end of a job, when only its result is to be
   * stored: results then pile up into few large writes instead of holding up the work.
   */
  leavePlace(): void;
}

export interface WorkOptions<Payload, Item> {
  /** Jobs that run at the same time in this process. */
  concurrency: number;
  /** Of these, how many may belong to one group. */
  concurrencyPerGroup?: number;
  /** Jobs fetched by one statement. */
  batchSize?: number;
  /**
   * Marks what the jobs stand for as taken, in the transaction that fetches them, and answers what `handle` needs by
   * job id. A job it leaves out has nothing to do any more and is ended.
   */
  claim(transaction: QueueExecutor, jobs: Job<Payload>[]): Promise<Map<string, Item>>;
  /** Does the work. Answers "completed" when it ended the job in a transaction of its own; what it throws is tried again. */
  handle(item: Item, job: Job<Payload>, held: Held): Promise<"completed" | undefined>;
  /** Undoes `claim` for jobs handed back at the end of the process. */
  release?(transaction: QueueExecutor, jobs: Job<Payload>[]): Promise<void>;
}

export interface WorkerParts {
  kysely: Kysely<AnyTables>;
  log: Logger;
  leaseSeconds: number;
  stopSeconds: number;
  fail(ids: string[], message: string): Promise<void>;
}

interface Entry {
  job: Job;
  item: unknown;
  group: string | null;
  /** On `performance.now()`, which goes on while the process is frozen. */
  heldUntil: number;
  hasLeft: boolean;
}

const pollMilliseconds = 1_000;
/** Jobs that have left their place and not ended; beyond this number the database is what holds things up. */
const mostLeft = 1_000;

/** Takes jobs of one queue in batches and keeps a fixed number of them running. */
export class QueueWorker {
  readonly #name: string;
  readonly #handover: Handover;
  readonly #options: WorkOptions<unknown, unknown>;
  readonly #parts: WorkerParts;
  readonly #leaseMilliseconds: number;
  readonly #line: WaitingLine<Entry>;
  readonly #running = new Map<Entry, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #enough: number;
  readonly #batchSize: number;
  #fetching: Promise<void> | undefined;
  #mayHaveMore = true;
  #woken = false;
  #stopped = false;
  #stop: Promise<void> | undefined;
  #ended: Job[] = [];
  #removing: Promise<void> | undefined;

  constructor(name: string, options: WorkOptions<unknown, unknown>, parts: WorkerParts) {
    this.#name = name;
    this.#handover = new Handover(parts.kysely, name);
    this.#options = options;
    this.#parts = parts;
    this.#leaseMilliseconds = parts.leaseSeconds * 1_000;
    const perGroup = options.concurrencyPerGroup ?? options.concurrency;
    this.#line = new WaitingLine(perGroup);
    // Half a cap in reserve hides the round trip of a fetch.
    this.#enough = Math.max(1, Math.ceil(perGroup / 2));
    this.#batchSize = options.batchSize ?? 64;
    this.#timers.push(setInterval(() => this.wake(), pollMilliseconds));
    this.#timers.push(setInterval(() => void this.#extendLeases(), this.#leaseMilliseconds / 3));
    this.wake();
  }

  wake(): void {
    this.#woken = true;
    this.#advance();
  }

  stop(): Promise<void> {
    this.#stop ??= this.#finish();
    return this.#stop;
  }

  async #finish(): Promise<void> {
    this.#stopped = true;
    await this.#fetching;
    await this.#handBack(this.#line.drain());
    const all = Promise.all(this.#running.values());
    await Promise.race([all, sleep(this.#parts.stopSeconds * 1_000)]);
    if (this.#running.size > 0) {
      const unfinished = [...this.#running.keys()];
      this.#stopping.abort();
      await this.#handBack(unfinished);
      await Promise.race([all, sleep(1_000)]);
    }
    await this.#removing;
    await this.#removeEnded();
    for (const timer of this.#timers) clearInterval(timer);
  }

  #advance(): void {
    if (this.#stopped) return;
    while (this.#line.running < this.#options.concurrency) {
      const entry = this.#line.take();
      if (!entry) break;
      this.#running.set(entry, this.#run(entry));
    }
    if (this.#fetching || !(this.#woken || (this.#mayHaveMore && this.#isHungry()))) return;
    this.#fetching = this.#fetch().finally(() => {
      this.#fetching = undefined;
      this.#advance();
    });
  }

  /**
   * A group that has enough in hand ends the appetite: what other groups may have waiting is found by the next wake-up
   * or poll, instead of by an empty fetch after every full one.
   */
  #isHungry(): boolean {
    if (this.#line.listSatisfied(this.#enough).length > 0) return false;
    return this.#line.running < this.#options.concurrency || this.#line.waiting < this.#enough;
  }

  async #fetch(): Promise<void> {
    this.#woken = false;
    const leftOut = this.#line.listSatisfied(this.#enough);
    const heldUntil = performance.now() + this.#leaseMilliseconds;
    try {
      const options = { batchSize: this.#batchSize, leftOut };
      const { jobs, items } = await this.#handover.take(options, this.#options.claim);
      this.#mayHaveMore = jobs.length === this.#batchSize || leftOut.length > 0;
      for (const job of jobs) {
        if (items.has(job.id))
          this.#line.add({ job, item: items.get(job.id), group: job.group, heldUntil, hasLeft: false });
      }
    } catch (error) {
      // Tried again by the next poll: a database that is away is not to be asked in a loop.
      this.#mayHaveMore = false;
      this.#parts.log.warn({ err: error, queue: this.#name }, "jobs could not be fetched");
    }
  }

  async #run(entry: Entry): Promise<void> {
    const held: Held = {
      signal: this.#stopping.signal,
      isHeld: () => performance.now() < entry.heldUntil,
      leavePlace: () => {
        if (this.#running.size - this.#line.running >= mostLeft) return;
        this.#leave(entry);
        this.#advance();
      },
    };
    try {
      const end = await this.#options.handle(entry.item, entry.job, held);
      if (end !== "completed") this.#ended.push(entry.job);
    } catch (error) {
      if (!this.#stopping.signal.aborted) await this.#giveUp(entry.job, held, error);
    }
    this.#running.delete(entry);
    this.#leave(entry);
    if (this.#ended.length > 0) this.#removing ??= this.#removeEnded();
    this.#advance();
  }

  #leave(entry: Entry): void {
    if (entry.hasLeft) return;
    entry.hasLeft = true;
    this.#line.leave(entry);
  }

  /** The message kept with the job says nothing of what was worked on: it may have held a secret. */
  async #giveUp(job: Job, held: Held, error: unknown): Promise<void> {
    const { log } = this.#parts;
    log.warn({ err: error, queue: this.#name, jobId: job.id, attempt: job.attempt }, "job failed");
    if (!held.isHeld()) return;
    await this.#parts.fail([job.id], "the work threw").catch((failure: unknown) => {
      log.warn({ err: failure, queue: this.#name, jobId: job.id }, "failed job waits for its lease to end");
    });
  }

  /** Collects what ends within one turn of the event loop, so that a hundred ends cost one statement. */
  async #removeEnded(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const ended = this.#ended;
    this.#ended = [];
    try {
      await this.#handover.remove(ended);
    } catch (error) {
      this.#parts.log.warn({ err: error, queue: this.#name }, "ended jobs could not be removed");
      this.#ended.push(...ended);
      await sleep(pollMilliseconds);
    }
    this.#removing = this.#ended.length > 0 && !this.#stopped ? this.#removeEnded() : undefined;
  }

  async #handBack(entries: Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const jobs = entries.map(({ job }) => job);
    try {
      await this.#handover.handBack(jobs, this.#options.release);
    } catch (error) {
      this.#parts.log.warn({ err: error, queue: this.#name }, "unfinished jobs wait for their lease to end");
    }
  }

  async #extendLeases(): Promise<void> {
    const entries = [...this.#running.keys(), ...this.#line.list()];
    if (entries.length === 0) return;
    const heldUntil = performance.now() + this.#leaseMilliseconds;
    try {
      const ids = await this.#handover.extend(entries.map(({ job }) => job));
      for (const entry of entries) entry.heldUntil = ids.has(entry.job.id) ? heldUntil : 0;
    } catch (error) {
      this.#parts.log.warn({ err: error, queue: this.#name }, "leases could not be extended");
    }
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
