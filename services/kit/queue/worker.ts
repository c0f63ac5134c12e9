import type { Logger } from "pino";
import { PollPace } from "../clock/poll-pace.ts";
import { logFailure } from "../database/database-problem.ts";
import type { Job } from "./job.ts";

export interface WorkOptions {
  /** Jobs that run at the same time in this process. */
  concurrency: number;
  /**
   * Parses the payload, possibly sent by another version, and processes it; errors are retried. May run twice, when
   * its process dies immediately afterwards.
   */
  handle(payload: unknown, job: Job): Promise<void>;
}

export interface WorkerParts {
  log: Logger;
  stopSeconds: number;
  fetch(limit: number): Promise<Job[]>;
  remove(id: string): Promise<void>;
  fail(id: string, message: string): Promise<void>;
}

/** Takes jobs of one queue as capacity becomes free. */
export class QueueWorker {
  readonly #name: string;
  readonly #options: WorkOptions;
  readonly #parts: WorkerParts;
  readonly #running = new Set<Promise<void>>();
  readonly #pace = new PollPace();
  #nextPoll: NodeJS.Timeout | undefined;
  #fetching: Promise<void> | undefined;
  #woken = false;
  #stopped = false;

  constructor(name: string, options: WorkOptions, parts: WorkerParts) {
    this.#name = name;
    this.#options = options;
    this.#parts = parts;
    this.#poll();
  }

  #poll(): void {
    this.wake();
    this.#nextPoll = setTimeout(() => this.#poll(), this.#pace.milliseconds);
  }

  wake(): void {
    this.#woken = true;
    this.#advance();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#nextPoll);
    await this.#fetching;
    const timer = new Promise((resolve) => setTimeout(resolve, this.#parts.stopSeconds * 1_000).unref());
    await Promise.race([Promise.all(this.#running), timer]);
  }

  #advance(): void {
    if (this.#stopped || this.#fetching || !this.#woken || this.#running.size >= this.#options.concurrency) return;
    this.#fetching = this.#fetch().finally(() => {
      this.#fetching = undefined;
      this.#advance();
    });
  }

  async #fetch(): Promise<void> {
    this.#woken = false;
    const free = this.#options.concurrency - this.#running.size;
    try {
      const jobs = await this.#parts.fetch(free);
      this.#pace.record(jobs.length > 0);
      // There may be more jobs than capacity.
      this.#woken ||= jobs.length === free;
      for (const job of jobs) {
        const running = this.#run(job).finally(() => {
          this.#running.delete(running);
          this.#advance();
        });
        this.#running.add(running);
      }
    } catch (error) {
      logFailure(this.#parts.log, error, "jobs could not be fetched", { queue: this.#name });
    }
  }

  async #run(job: Job): Promise<void> {
    const { log } = this.#parts;
    const names = { queue: this.#name, jobId: job.id, attempt: job.attempt };
    try {
      await this.#options.handle(job.payload, job);
      await this.#parts.remove(job.id);
    } catch (error) {
      log.warn({ err: error, ...names }, "job failed");
      // The message stored with the job excludes the payload, which may have contained a secret.
      await this.#parts.fail(job.id, "the work threw").catch((failure: unknown) => {
        log.warn({ err: failure, ...names }, "failed job waits for its lease to end");
      });
    }
  }
}
