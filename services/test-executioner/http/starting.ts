import { uuidv7 } from "uuidv7";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { type IdempotencyKey, takeKey } from "../../kit/idempotency/idempotency-key.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { RunOrder, RunSource } from "../contract/runs.ts";
import type { RunTrigger } from "../contract/verdicts.ts";
import type { Member } from "../domain/members.ts";
import type { CaptureSeal, OpenCapture } from "../jobs/capture-seal.ts";
import type { Snapshots } from "../jobs/snapshots.ts";
import { holdsDeleted } from "../store/deleted-tests.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { insertRun, type NewRun } from "../store/runs.ts";
import type { ApiSurroundings } from "../store/surroundings.ts";
import { type ExecutionDatabase, schemaName } from "../store/tables.ts";
import { findUnfinishedRun } from "../store/unfinished-run.ts";
import type { RequireApi } from "./apis.ts";
import { resolveSurroundings } from "./surroundings.ts";

export interface StartingParts {
  db: ExecutionDatabase;
  clock: Clock;
  requireApi: RequireApi;
  seal: CaptureSeal;
  snapshots: Snapshots;
}

export interface Start {
  organizationId: string;
  requestId: string;
  source: RunSource;
  members: Member[];
  leftOut: number;
  trigger: RunTrigger;
  order: RunOrder;
  concurrency: number | null;
  stopOnFailure: boolean;
  variables: Record<string, string>;
  /** Known from the start. */
  captures: OpenCapture[];
  /** What the call says of an API, and the path at which it says it. */
  choose(apiId: string): { baseUrl?: string; environment?: string; path: string };
  idempotencyKey: IdempotencyKey | undefined;
  /** Takes a run of the same source that goes on, rather than starting another. */
  joinUnfinished: boolean;
  record: RecordChange;
}

/** Answers the run's id: of a new one, of the first with the same key, or of the one that was joined. */
export type StartRun = (start: Start) => Promise<string>;

const keyTable = { schema: schemaName, column: "run_id" };

/** Every run starts here, whichever call asks for it: the run, its members and the key in one transaction. */
export function createStartRun(parts: StartingParts): StartRun {
  const { db, clock, seal, snapshots } = parts;

  async function pinApi(start: Start, apiId: string): Promise<ApiSurroundings> {
    const { path, ...choice } = start.choose(apiId);
    return resolveSurroundings(await parts.requireApi(start, apiId), choice, path);
  }

  return async (start) => {
    const { organizationId, members, idempotencyKey, variables, order, concurrency } = start;
    const apiIds = [...new Set(members.map(({ test }) => test.apiId))];
    const apis = await Promise.all(apiIds.map((apiId) => pinApi(start, apiId)));
    const { source, trigger, stopOnFailure, leftOut } = start;
    const id = uuidv7();
    const run: NewRun = {
      ...{ id, organizationId, source, trigger, order, concurrency, stopOnFailure, leftOut },
      surroundings: { variables, apis },
      executions: members.map((member) => ({ id: uuidv7(), ...member })),
      captures: start.captures.map((capture) => seal.close({ organization_id: organizationId, run_id: id }, capture)),
      queuedAt: clock.now(),
    };
    // Before the commit: the worker may ask for them at once.
    snapshots.remember(run.id, { order, concurrency, ...run.surroundings }, new Set(members.map(({ test }) => test)));
    return await retryDeadlock(() =>
      db.transaction().execute(async (transaction) => {
        const joined = start.joinUnfinished ? await findUnfinishedRun(transaction, organizationId, source) : undefined;
        const makes = joined ?? id;
        const call = idempotencyKey && { ...idempotencyKey, organizationId, makes, now: run.queuedAt };
        const first = call && (await takeKey(transaction, keyTable, call));
        const earlier = first ?? joined;
        if (earlier) {
          await start.record(transaction);
          return earlier;
        }
        const tests = members.map(({ test }) => test);
        if (await holdsDeleted(transaction, organizationId, tests)) {
          throw new Problem("conflict", "A test of this run was deleted in the meantime. Nothing was started.");
        }
        await insertRun(transaction, run);
        const after = { source, trigger, order, executions: run.executions.length };
        await start.record(transaction, { id, after });
        return id;
      }),
    );
  };
}
