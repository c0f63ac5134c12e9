import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { databaseProblem, logFailure } from "../../kit/database/database-problem.ts";
import { extendLeases, giveUpExecution, releaseExecutions } from "../store/claims.ts";
import type { ExecutionTables } from "../store/tables.ts";
import type { ExecutionTask } from "./snapshots.ts";

/** An execution that this process has claimed. */
export interface Leased {
  task: ExecutionTask;
  /** On `performance.now()`, which advances while the process is frozen. */
  heldUntil: number;
}

interface LeaseParts {
  db: Kysely<ExecutionTables>;
  log: Logger;
}

const getLease = ({ task }: Leased) => task.execution;

export function isLeased({ heldUntil }: Leased): boolean {
  return performance.now() < heldUntil;
}

/** Renews leases; executions that belong to another worker by now are removed. */
export async function extendLeased({ db, log }: LeaseParts, leaseSeconds: number, all: Leased[]): Promise<void> {
  if (all.length === 0) return;
  const heldUntil = performance.now() + leaseSeconds * 1_000;
  try {
    const ids = await extendLeases(db, all.map(getLease), leaseSeconds);
    for (const held of all) held.heldUntil = ids.has(held.task.execution.id) ? heldUntil : 0;
  } catch (error) {
    logFailure(log, error, "leases could not be extended");
  }
}

/** Returns them as if never claimed. */
export async function handBack({ db, log }: LeaseParts, all: Leased[]): Promise<void> {
  if (all.length === 0) return;
  try {
    await releaseExecutions(db, all.map(getLease));
  } catch (error) {
    log.warn({ err: error }, "unfinished executions wait for their lease to end");
  }
}

/**
 * After an internal error: retried after a pause, three times in all. One that lost its database is no such attempt: it
 * would have ended otherwise, and several outages may follow each other.
 */
export async function giveUp({ db, log }: LeaseParts, held: Leased, error: unknown): Promise<void> {
  const { id, claims } = held.task.execution;
  logFailure(log, error, "execution failed on our side", { executionId: id, claims });
  if (!isLeased(held)) return;
  const counts = databaseProblem(error)?.code !== "service_unavailable";
  await giveUpExecution(db, getLease(held), { pauseSeconds: 2 ** (claims - 1), counts }).catch((failure: unknown) => {
    logFailure(log, failure, "the execution waits for its lease to end", { executionId: id });
  });
}
