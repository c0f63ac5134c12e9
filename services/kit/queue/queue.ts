import { CompiledQuery, type Kysely } from "kysely";
import PgBoss from "pg-boss";
import type { Logger } from "pino";
import type { AnyTables, Database, Executor } from "../database/database.ts";
import { logFailure } from "../database/database-problem.ts";
import { notify } from "../database/notifications.ts";
import { raiseSecondWall } from "../database/row-security.ts";
import { DurationHistogram, type Family } from "../metrics/metrics.ts";
import type { JobToSend } from "./job.ts";
import { QueueWorker, type WorkOptions } from "./worker.ts";

export interface QueueSettings {
  /** Times a job is handed out before it is given up. Default 3. */
  attempts?: number;
  /** Pause after a handler threw, doubled each time. Default 1. */
  retryDelaySeconds?: number;
  /** Queue for jobs that are given up; declared before the queue that names it. */
  deadLetter?: string;
}

export interface Queue {
  declare(name: string, settings?: QueueSettings): Promise<void>;
  /**
   * Sends jobs in the transaction that caused them, in one statement; its commit notifies the workers of every
   * process.
   */
  send(transaction: Executor<AnyTables>, name: string, jobs: JobToSend[]): Promise<void>;
  /** Starts handing jobs to `options.handle` in this process. One worker per queue and process. */
  work(name: string, options: WorkOptions): RunningWork;
  /** Counts of the queues whose names start with the prefix. */
  listWaiting(prefix: string): Promise<WaitingJobs[]>;
  /** Counts of one queue, whether or not this process declared it. */
  countWaiting(name: string): Promise<WaitingJobs>;
  /** Throws while jobs can be neither sent nor handed out. */
  checkHealth(): Promise<void>;
  /** The number of waiting jobs, and how long jobs taken by this process had waited. */
  metrics(): Promise<Family[]>;
  /** Takes no more jobs and lets running ones finish; unfinished ones are handed out again. */
  stop(): Promise<void>;
}

export interface WaitingJobs {
  name: string;
  waiting: number;
  running: number;
}

export interface RunningWork {
  /** Takes no more jobs and waits for the running ones, 30 s at most. */
  stop(): Promise<void>;
}

export interface QueueOptions {
  database: Database;
  log: Logger;
  /** A job is handed out again when it has not ended after this long. Default 120. */
  leaseSeconds?: number;
  /** Maximum wait of `stop` for running jobs. Default 30. */
  stopSeconds?: number;
}

/** PostgreSQL schema of pg-boss's tables, not used for anything else. */
const queueSchema = "job_queue";
/** Notified with the names of queues that have jobs. */
const channel = "job_queue";

/** pg-boss would delete a waiting job after 14 days by default. */
const retentionDays = 3_650;

/** Seconds: an email waits for a free worker only, or hours for a mail server. */
const waitBounds = [0.1, 0.5, 1, 5, 30, 60, 300, 1_800, 7_200];

const deadlockDetected = "40P01";
const maxDeclareAttempts = 10;

async function run(executor: Executor<AnyTables>, text: string, parameters: unknown[] = []) {
  const { rows } = await executor.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, parameters));
  return { rows };
}

/**
 * pg-boss sends its maintenance as one text with its own begin and commit. When such a text fails half-way, the
 * connection remains in the aborted transaction and would refuse further statements, so it is rolled back here.
 */
export async function runWholeText(database: Kysely<AnyTables>, text: string, parameters: unknown[] = []) {
  if (parameters.length > 0) return await run(database, text, parameters);
  return await database.connection().execute(async (connection) => {
    try {
      return await run(connection, text);
    } catch (error) {
      await run(connection, "rollback").catch(() => {});
      throw error;
    }
  });
}

/**
 * The queue of all work except executions, on either database. Uses only pg-boss's public functions, and not its
 * `work`, which polls at most twice a second and does not wait until a job's end is written.
 */
export async function createQueue(options: QueueOptions): Promise<Queue> {
  const { database, log, leaseSeconds = 120, stopSeconds = 30 } = options;
  const { kysely } = database;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => runWholeText(kysely, text, values) },
    schema: queueSchema,
    schedule: false,
    supervise: true,
    // How soon lost jobs are detected.
    maintenanceIntervalSeconds: Math.max(1, Math.min(10, Math.floor(leaseSeconds / 4))),
  });
  boss.on("error", (error) => logFailure(log, error, "queue maintenance failed"));
  await boss.start();
  // Jobs belong to no organization, but organizations send some.
  await raiseSecondWall(database, queueSchema, log);
  const workers = new Map<string, QueueWorker>();
  const declared = new Set<string>();
  const waitTimes = new DurationHistogram(
    "queue_job_wait_seconds",
    "Time between sending a job and taking it in this process, by queue.",
    waitBounds,
  );
  const stopListening = await database.subscribe(channel, (names) => {
    if (names) for (const name of names.split(" ")) workers.get(name)?.wake();
    else for (const worker of workers.values()) worker.wake();
  });
  /** pg-boss reports only the number of waiting jobs, not their age. */
  async function countWaiting(name: string): Promise<WaitingJobs> {
    const [waiting, unfinished] = await Promise.all([
      boss.getQueueSize(name, { before: "active" }),
      boss.getQueueSize(name, { before: "completed" }),
    ]);
    // A job may have been taken or added between the two queries.
    return { name, waiting, running: Math.max(0, unfinished - waiting) };
  }

  return {
    async declare(name, { attempts = 3, retryDelaySeconds = 1, deadLetter } = {}) {
      const settings = {
        name,
        retryLimit: attempts - 1,
        retryDelay: retryDelaySeconds,
        retryBackoff: retryDelaySeconds > 0,
        expireInSeconds: leaseSeconds,
        retentionDays,
        ...(deadLetter ? { deadLetter } : {}),
      };
      // Replicas that start simultaneously create the same partition, and PostgreSQL aborts all but one of them.
      for (let tries = 1; ; tries += 1) {
        try {
          await boss.createQueue(name, settings);
          break;
        } catch (error) {
          if ((error as { code?: string }).code !== deadlockDetected || tries === maxDeclareAttempts) throw error;
        }
      }
      await boss.updateQueue(name, settings);
      declared.add(name);
    },
    async send(transaction, name, jobs) {
      if (jobs.length === 0) return;
      await boss.insert(
        jobs.map(({ id, payload }) => ({ id, name, data: payload as object })),
        { db: { executeSql: (text, values) => run(transaction, text, values) } },
      );
      await notify(transaction, channel, name);
    },
    work(name, workOptions) {
      if (workers.has(name)) throw new Error(`The queue ${name} has a worker in this process already.`);
      const worker = new QueueWorker(name, workOptions, {
        log,
        stopSeconds,
        async fetch(batchSize) {
          const jobs = await boss.fetch<object>(name, { batchSize, includeMetadata: true });
          for (const { createdOn } of jobs)
            waitTimes.observe({ queue: name }, (Date.now() - createdOn.getTime()) / 1_000);
          return jobs.map(({ id, data, retryCount }) => ({ id, payload: data, attempt: retryCount + 1 }));
        },
        // Finished jobs are of no use, and emails must not remain in the database.
        remove: (id) => boss.deleteJob(name, id),
        fail: (id, message) => boss.fail(name, id, { message }),
      });
      workers.set(name, worker);
      return worker;
    },
    async listWaiting(prefix) {
      const names = [...declared].filter((name) => name.startsWith(prefix)).sort();
      return await Promise.all(names.map(countWaiting));
    },
    countWaiting,
    async checkHealth() {
      if (!(await boss.isInstalled())) throw new Error("the queue's tables are not there");
    },
    async metrics() {
      const sampleDepth = async (queue: string) => ({ labels: { queue }, value: await boss.getQueueSize(queue) });
      return [
        {
          name: "queue_jobs_waiting",
          type: "gauge",
          help: "Jobs waiting for their first or next attempt, by queue, in all processes.",
          samples: await Promise.all([...declared].map(sampleDepth)),
        },
        waitTimes.family(),
      ];
    },
    async stop() {
      stopListening();
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      await boss.stop({ graceful: false });
    },
  };
}
