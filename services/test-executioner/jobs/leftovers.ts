import type { Kysely } from "kysely";
import type { Clock } from "../../kit/clock/clock.ts";
import { workerLost } from "../domain/cause.ts";
import { cancelLeased, listCancelledRuns } from "../store/cancellations.ts";
import { type ClaimedExecution, claimExhausted } from "../store/claims.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import type { ExecutionTables } from "../store/tables.ts";
import type { WriteResult } from "./result-writer.ts";
import type { WaitingLine } from "./waiting-line.ts";

interface LeftoverParts {
  db: Kysely<ExecutionTables>;
  clock: Clock;
  publishFinished: PublishFinished;
  writeResult: WriteResult;
}

type Waiting = { organizationId: string; task: { execution: ClaimedExecution } };

/** A worker's claimed executions of runs cancelled meanwhile do not start; tear-down does. */
export async function dropCancelled(
  { db, clock, publishFinished }: LeftoverParts,
  line: WaitingLine<Waiting>,
): Promise<void> {
  const runIds = new Set(line.list().map(({ task }) => task.execution.run_id));
  if (runIds.size === 0) return;
  const cancelled = await listCancelledRuns(db, [...runIds]);
  if (cancelled.size === 0) return;
  const dropped = line.remove(
    ({ task: { execution } }) => cancelled.has(execution.run_id) && execution.phase !== "tearDown",
  );
  if (dropped.length === 0) return;
  const held = dropped.map(({ task }) => task.execution);
  await retryDeadlock(() =>
    db.transaction().execute((transaction) => cancelLeased(transaction, held, clock.now(), publishFinished)),
  );
}

/** The run of a waiting test was cancelled. */
export async function cancelWaiting(
  parts: Pick<LeftoverParts, "db" | "clock" | "publishFinished">,
  execution: ClaimedExecution,
): Promise<void> {
  const { db, clock, publishFinished } = parts;
  await retryDeadlock(() =>
    db.transaction().execute(async (transaction) => {
      await cancelLeased(transaction, [execution], clock.now(), publishFinished, "Cancelled while waiting.");
    }),
  );
}

/** Ends executions that have lost their last worker. */
export async function endExhausted(parts: LeftoverParts, leaseSeconds: number): Promise<void> {
  const exhausted = await claimExhausted(parts.db, leaseSeconds);
  await Promise.all(exhausted.map((execution) => endLost(parts, execution, leaseSeconds)));
}

async function endLost(
  { clock, writeResult }: LeftoverParts,
  execution: ClaimedExecution,
  leaseSeconds: number,
): Promise<void> {
  const heldUntil = performance.now() + leaseSeconds * 1_000;
  await writeResult({
    isHeld: () => performance.now() < heldUntil,
    isUrgent: true,
    result: {
      execution,
      verdict: "errored",
      cause: workerLost,
      reason: workerLost.detail,
      host: null,
      credentialId: null,
      attempts: [],
      attemptCount: 0,
      verifications: [],
      captures: [],
      statusCode: null,
      responseMilliseconds: null,
      sendingMilliseconds: null,
      finishedAt: clock.now(),
      mayMoveOthers: true,
      gaveValues: false,
    },
  });
}
