import { Problem } from "#contracts/kit/problem.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import { findCreated, type IdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import { isByHand } from "../domain/fair-count.ts";
import { listDeleted } from "../store/deleted-tests.ts";
import { withFreeRepetitions } from "../store/free-repetitions.ts";
import { explainNoQuota, findQuotaProblem, reserve } from "../store/plan-quota.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { insertRuns, toWanted } from "../store/runs.ts";
import { type ExecutionDatabase, schemaName } from "../store/tables.ts";
import { findUnfinishedRun } from "../store/unfinished-run.ts";
import type { Planned, PrepareRun } from "./preparing.ts";

export interface Start extends Planned {
  idempotencyKey: IdempotencyKey | undefined;
  /** Joins an unfinished run of the same source instead of starting another. */
  joinUnfinished: boolean;
  record: RecordChange;
}

/** Returns the run's id: of a new one, of the first with the same key, or of the one that was joined. */
export type StartRun = (start: Start) => Promise<string>;

const keyTable = { schema: schemaName, column: "run_id" };

/** The run that an earlier call with the key started, whatever has happened to its tests since. */
export async function findStarted(
  db: ExecutionDatabase,
  { organizationId, idempotencyKey, record }: Pick<Start, "organizationId" | "idempotencyKey" | "record">,
): Promise<string | undefined> {
  const runId = idempotencyKey && (await findCreated(db, keyTable, { ...idempotencyKey, organizationId }));
  if (runId) await record(db);
  return runId;
}

/** Starts the requested run: the run, its members and the key in one transaction. */
export function createStartRun({
  db,
  prepareRun,
  plans,
}: {
  db: ExecutionDatabase;
  prepareRun: PrepareRun;
  plans: Plans;
}): StartRun {
  return async (start) => {
    const { organizationId, source, trigger, order, idempotencyKey } = start;
    const known = await plans.require(organizationId, start.requestId);
    const prepared = await prepareRun(start);
    return await retryDeadlock(() =>
      db.transaction().execute(async (transaction) => {
        const joined = start.joinUnfinished ? await findUnfinishedRun(transaction, prepared) : undefined;
        const makes = joined ?? prepared.id;
        const call = idempotencyKey && { ...idempotencyKey, organizationId, makes, now: prepared.queuedAt };
        const first = call && (await reserveKey(transaction, keyTable, call));
        const earlier = first ?? joined;
        if (earlier) {
          await start.record(transaction);
          return earlier;
        }
        if ((await listDeleted(transaction, [prepared])).length > 0) {
          throw new Problem("conflict", "A test of this run was deleted in the meantime. Nothing was started.");
        }
        const run = isByHand(trigger) ? await withFreeRepetitions(transaction, prepared) : prepared;
        const wanted = toWanted(run);
        const noQuota = explainNoQuota(known, wanted);
        if (noQuota) throw noQuota;
        await insertRuns(transaction, [run]);
        const after = { source, trigger, order, executions: run.executions.length };
        await start.record(transaction, { id: run.id, after });
        // Other runs may have started in between.
        if (!(await reserve(transaction, [wanted]))) throw await findQuotaProblem(transaction, wanted);
        return run.id;
      }),
    );
  };
}
