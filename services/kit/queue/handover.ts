import type { Kysely } from "kysely";
import type { AnyTables } from "../database/database.ts";
import type { Job } from "./job.ts";
import {
  completeStatement,
  extendStatement,
  fetchStatement,
  type QueueExecutor,
  releaseStatement,
  run,
} from "./statements.ts";

interface FetchedRow {
  id: string;
  payload: unknown;
  group: string | null;
  retryCount: number;
  priority: number;
}

/** Jobs of one queue between its table and this process. */
export class Handover {
  readonly #kysely: Kysely<AnyTables>;
  readonly #queueName: string;

  constructor(kysely: Kysely<AnyTables>, queueName: string) {
    this.#kysely = kysely;
    this.#queueName = queueName;
  }

  /** Fetches jobs and has them claimed in one transaction; those nothing is claimed for are ended in it. */
  async take<Item>(
    options: { batchSize: number; leftOut: string[] },
    claim: (transaction: QueueExecutor, jobs: Job[]) => Promise<Map<string, Item>>,
  ): Promise<{ jobs: Job[]; items: Map<string, Item> }> {
    return await this.#kysely.transaction().execute(async (transaction) => {
      const parameters = [this.#queueName, options.batchSize, options.leftOut];
      const rows = await run<FetchedRow>(transaction, fetchStatement, parameters);
      if (rows.length === 0) return { jobs: [], items: new Map() };
      rows.sort((a, b) => b.priority - a.priority);
      const jobs = rows.map(({ id, payload, group, retryCount }) => ({ id, payload, group, attempt: retryCount + 1 }));
      const items = await claim(transaction, jobs);
      await this.#remove(
        transaction,
        jobs.filter((job) => !items.has(job.id)),
      );
      return { jobs, items };
    });
  }

  async remove(jobs: Job[]): Promise<void> {
    await this.#remove(this.#kysely, jobs);
  }

  async #remove(executor: QueueExecutor, jobs: Job[]): Promise<void> {
    if (jobs.length > 0) await run(executor, completeStatement, [this.#queueName, ...identify(jobs)]);
  }

  /** Puts jobs back as if never fetched, and undoes their claims. */
  async handBack(
    jobs: Job[],
    release: ((transaction: QueueExecutor, jobs: Job[]) => Promise<void>) | undefined,
  ): Promise<void> {
    await this.#kysely.transaction().execute(async (transaction) => {
      await release?.(transaction, jobs);
      await run(transaction, releaseStatement, [this.#queueName, ...identify(jobs)]);
    });
  }

  /** Starts the jobs' leases anew. Answers the ids of those that are still this process's. */
  async extend(jobs: Job[]): Promise<Set<string>> {
    const kept = await run<{ id: string }>(this.#kysely, extendStatement, [this.#queueName, ...identify(jobs)]);
    return new Set(kept.map(({ id }) => id));
  }
}

function identify(jobs: Job[]): [ids: string[], attempts: number[]] {
  return [jobs.map((job) => job.id), jobs.map((job) => job.attempt)];
}
