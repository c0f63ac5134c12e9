import PgBoss from "pg-boss";
import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { Job, JobToSend } from "./job.ts";
import {
  backlogStatement,
  completeStatement,
  listExhaustedStatement,
  type QueueExecutor,
  queueSchema,
  requeueAbandonedStatement,
  run,
  runWholeText,
} from "./statements.ts";
import { QueueWorker, type WorkOptions } from "./worker.ts";

export interface QueueSettings {
  /** Times a job is handed out before it goes to the dead-letter queue. Default 3. */
  attempts?: number;
  /** Pause after a handler threw, doubled each time. Default 1. A job whose worker died does not wait. */
  retryDelaySeconds?: number;
  /** Declared before the queue that names it. */
  deadLetter?: string;
}

export interface Queue {
  declare(name: string, settings?: QueueSettings): Promise<void>;
  /**
   * Sends jobs in the transaction that caused them, in one statement. Within `group` each stands behind the group's
   * waiting ones, so that a group with one job does not wait for another's thousand. Call `wake` after the commit.
   */
  send<Payload>(
    transaction: QueueExecutor,
    name: string,
    jobs: JobToSend<Payload>[],
    options?: { group?: string },
  ): Promise<void>;
  /** Makes this process's worker look now; workers of other processes look once a second. */
  wake(name: string): void;
  /** Ends jobs in the transaction that stores what came of them. */
  complete(transaction: QueueExecutor, name: string, jobs: Pick<Job, "id" | "attempt">[]): Promise<void>;
  /** Starts handing jobs to `options.handle` in this process. One worker a queue and process. */
  work<Payload, Item>(name: string, options: WorkOptions<Payload, Item>): RunningWork;
  /** Takes no more jobs, lets running ones finish, and hands back what has not: nothing is lost. */
  stop(): Promise<void>;
}

export interface RunningWork {
  /** Takes no more jobs, waits for the running ones (30 s at most) and hands back what has not ended. */
  stop(): Promise<void>;
}

export interface QueueOptions {
  database: Database;
  log: Logger;
  /** A job is handed to another worker when its own has not shown life for this long. Default 60. */
  leaseSeconds?: number;
  /** How long `stop` waits for running jobs. Default 30. */
  stopSeconds?: number;
  /** How often the embedded database's queue is looked after. Default 60. */
  housekeepingSeconds?: number;
}

/** pg-boss would drop a waiting job after 14 days; a run that waited longer is still to be told how it ended. */
const retentionDays = 3_650;

/**
 * The embedded database has no autovacuum: every job would leave three dead rows for good, and fetching would step over
 * all of them. After so many jobs a vacuum (15 ms) is worth it: without, 30,000 jobs double what a fetch costs.
 */
const jobsBetweenVacuums = 500;

const deadlockDetected = "40P01";
const mostTriesToDeclare = 10;

/**
 * The queue on either database: pg-boss keeps jobs, retries, leases and dead letters; fetching is ours (fair between
 * groups, in batches, woken in-process), because pg-boss polls at best twice a second and hands out blindly.
 */
export async function createQueue(options: QueueOptions): Promise<Queue> {
  const { database, log, leaseSeconds = 60, stopSeconds = 30, housekeepingSeconds = 60 } = options;
  const { kysely } = database;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => runWholeText(kysely, text, values) },
    schema: queueSchema,
    schedule: false,
    supervise: true,
    // Twice within a lease, at most: this is when lost jobs are noticed.
    maintenanceIntervalSeconds: Math.max(1, Math.min(10, Math.floor(leaseSeconds / 4))),
  });
  boss.on("error", (error) => log.warn({ err: error }, "queue maintenance failed"));
  await boss.start();
  const workers = new Map<string, QueueWorker>();
  let sentJobs = 0;
  let housekeeping: NodeJS.Timeout | undefined;

  if (database.engine === "pglite") {
    await run(kysely, requeueAbandonedStatement);
    for (const { name, id } of await run<{ name: string; id: string }>(kysely, listExhaustedStatement)) {
      await boss.fail(name, id, { message: "the process ended while the job ran" });
    }
    housekeeping = setInterval(async () => {
      if (sentJobs < jobsBetweenVacuums) return;
      sentJobs = 0;
      await run(kysely, `vacuum (analyze) ${queueSchema}.job`).catch((error: unknown) => {
        log.warn({ err: error }, "the queue's table could not be vacuumed");
      });
    }, housekeepingSeconds * 1_000);
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
      // Replicas that start at the same moment make the same partition, and PostgreSQL ends all but one of them.
      for (let tries = 1; ; tries += 1) {
        try {
          await boss.createQueue(name, settings);
          break;
        } catch (error) {
          if ((error as { code?: string }).code !== deadlockDetected || tries === mostTriesToDeclare) throw error;
        }
      }
      await boss.updateQueue(name, settings);
    },
    async send(transaction, name, jobs, { group } = {}) {
      if (jobs.length === 0) return;
      sentJobs += jobs.length;
      const [backlog] = group
        ? await run<{ waiting: number }>(transaction, backlogStatement, [name, group])
        : [{ waiting: 0 }];
      const before = backlog?.waiting ?? 0;
      await boss.insert(
        jobs.map(({ id, payload }, index) => ({
          id,
          name,
          data: payload as object,
          priority: group ? -(before + index) : 0,
          ...(group ? { singletonKey: group } : {}),
        })),
        { db: { executeSql: async (text, values) => ({ rows: await run(transaction, text, values) }) } },
      );
    },
    wake: (name) => workers.get(name)?.wake(),
    async complete(transaction, name, jobs) {
      if (jobs.length === 0) return;
      await run(transaction, completeStatement, [name, jobs.map((job) => job.id), jobs.map((job) => job.attempt)]);
    },
    work(name, workOptions) {
      if (workers.has(name)) throw new Error(`The queue ${name} has a worker in this process already.`);
      const worker = new QueueWorker(name, workOptions as WorkOptions<unknown, unknown>, {
        kysely,
        log,
        leaseSeconds,
        stopSeconds,
        fail: (ids, message) => boss.fail(name, ids as unknown as string, { message }).then(() => {}),
      });
      workers.set(name, worker);
      return worker;
    },
    async stop() {
      clearInterval(housekeeping);
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      await boss.stop({ graceful: false });
    },
  };
}
