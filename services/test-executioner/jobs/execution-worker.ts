import type { Transaction } from "kysely";
import type { Job } from "../../kit/queue/job.ts";
import type { Queue, RunningWork } from "../../kit/queue/queue.ts";
import type { QueueExecutor } from "../../kit/queue/statements.ts";
import { workerLost } from "../domain/cause.ts";
import { claimExecutions, releaseExecutions } from "../store/claims.ts";
import { type ExecutionTables, schemaName } from "../store/tables.ts";
import { type RunParts, runExecution } from "./execution-run.ts";
import type { Progress } from "./progress.ts";
import type { WriteResult } from "./result-writer.ts";
import type { ExecutionTask, Snapshots } from "./snapshots.ts";

export const executionQueue = "test-executions";
export const lostExecutionQueue = "lost-test-executions";

export interface ExecutionPayload {
  executionId: string;
  organizationId: string;
}

/** Requests under way in one process, and of these how many for one organization (H04). */
const concurrency = 128;
const concurrencyPerOrganization = 48;

export interface ExecutionWorkerParts extends RunParts {
  queue: Queue;
  snapshots: Snapshots;
  writeResult: WriteResult;
  progress: Progress;
}

export async function declareQueues(queue: Queue): Promise<void> {
  await queue.declare(lostExecutionQueue, { attempts: 20, retryDelaySeconds: 5 });
  await queue.declare(executionQueue, { attempts: 3, deadLetter: lostExecutionQueue });
}

/** Runs executions of every organization in this process. */
export function startExecutionWorkers(parts: ExecutionWorkerParts): RunningWork[] {
  const claim = async (executor: QueueExecutor, jobs: Job<ExecutionPayload>[]) => {
    const transaction = executor.withSchema(schemaName) as unknown as Transaction<ExecutionTables>;
    const claimed = await claimExecutions(
      transaction,
      jobs.map(({ payload }) => payload),
      parts.clock.now(),
    );
    const tasks = await parts.snapshots.resolve(transaction, claimed);
    const byExecution = new Map(tasks.map((task) => [task.execution.id, task]));
    return new Map(
      jobs.flatMap((job) => {
        const task = byExecution.get(job.payload.executionId);
        return task ? [[job.id, task] as const] : [];
      }),
    );
  };
  const running = parts.queue.work<ExecutionPayload, ExecutionTask>(executionQueue, {
    concurrency,
    concurrencyPerGroup: concurrencyPerOrganization,
    batchSize: 128,
    claim,
    async release(transaction, jobs) {
      await releaseExecutions(
        transaction,
        jobs.map(({ payload }) => payload),
      );
    },
    async handle(task, job, held) {
      announce(parts.progress, task);
      const outcome = await runExecution(parts, task, held.signal);
      held.leavePlace();
      const written = await parts.writeResult({ ...outcome, job, isHeld: held.isHeld });
      return written ? "completed" : undefined;
    },
  });
  const lost = parts.queue.work<ExecutionPayload, ExecutionTask>(lostExecutionQueue, {
    concurrency: 8,
    claim,
    async handle({ execution }, job, held) {
      const result = {
        execution,
        verdict: "errored" as const,
        cause: workerLost,
        attempts: [],
        statusCode: null,
        responseMilliseconds: null,
        finishedAt: parts.clock.now(),
      };
      await parts.writeResult({ result, verifications: [], job, isHeld: held.isHeld });
      return undefined;
    },
  });
  return [running, lost];
}

function announce(progress: Progress, { execution }: ExecutionTask): void {
  progress.publish([
    {
      organizationId: execution.organization_id,
      apiId: execution.api_id,
      testId: execution.test_id,
      executionId: execution.id,
      ended: false,
    },
  ]);
}
