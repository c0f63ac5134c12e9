import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { RunTrigger } from "../contract/executions.ts";
import type { RunOrder, RunSource } from "../contract/runs.ts";
import type { Member } from "../domain/members.ts";
import type { CaptureSeal, OpenCapture } from "../jobs/capture-seal.ts";
import type { Snapshots } from "../jobs/snapshots.ts";
import { takeKey } from "../store/idempotency-keys.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { insertRun, type NewRun } from "../store/runs.ts";
import type { ApiSurroundings } from "../store/surroundings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
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
  stopOnFailure: boolean;
  variables: Record<string, string>;
  /** What an earlier run captured, for its repetition. */
  captures: OpenCapture[];
  /** What the call says of an API, and the path at which it says it. */
  choose(apiId: string): { baseUrl?: string; environment?: string; path: string };
  idempotency: Idempotency | undefined;
  record: RecordChange;
}

export interface Idempotency {
  key: string;
  /** What was asked for, so that another call with the same key is noticed. */
  target: string;
}

export interface StartedRun {
  runId: string;
  /** It was started by an earlier call with the same key. */
  isOld: boolean;
}

export type StartRun = (start: Start) => Promise<StartedRun>;

export function readIdempotency(request: Request, asked: unknown): Idempotency | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new Problem("malformed_request", "Idempotency-Key has to be 1 to 200 visible ASCII characters.");
  }
  const text = JSON.stringify([new URL(request.url).pathname, asked]);
  return { key, target: createHash("sha256").update(text).digest("base64url") };
}

/** Every run starts here, whichever call asks for it: the run, its members and the key in one transaction. */
export function createStartRun(parts: StartingParts): StartRun {
  const { db, clock, seal, snapshots } = parts;

  async function pinApi(start: Start, apiId: string): Promise<ApiSurroundings> {
    const { path, ...choice } = start.choose(apiId);
    return resolveSurroundings(await parts.requireApi(start, apiId), choice, path);
  }

  return async (start) => {
    const { organizationId, members, idempotency, variables, order } = start;
    const apiIds = [...new Set(members.map(({ test }) => test.apiId))];
    const apis = await Promise.all(apiIds.map((apiId) => pinApi(start, apiId)));
    const { source, trigger, stopOnFailure, leftOut } = start;
    const id = uuidv7();
    const run: NewRun = {
      ...{ id, organizationId, source, trigger, order, stopOnFailure, leftOut },
      surroundings: { variables, apis },
      executions: members.map(({ test, rowIndex }) => ({ id: uuidv7(), test, rowIndex })),
      captures: start.captures.map((capture) => seal.close({ organization_id: organizationId, run_id: id }, capture)),
      queuedAt: clock.now(),
    };
    // Before the commit: the worker may ask for them at once.
    snapshots.remember(run.id, { order, ...run.surroundings }, new Set(members.map(({ test }) => test)));
    const earlier = await retryDeadlock(() =>
      db.transaction().execute(async (transaction) => {
        if (idempotency) {
          const first = await takeKey(transaction, {
            ...idempotency,
            organizationId,
            runId: run.id,
            now: run.queuedAt,
          });
          if (first) {
            await start.record(transaction);
            return first;
          }
        }
        await insertRun(transaction, run);
        const after = { source, trigger, order, executions: run.executions.length };
        await start.record(transaction, { id, after });
        return undefined;
      }),
    );
    if (!earlier) return { runId: run.id, isOld: false };
    if (earlier.target === idempotency?.target) return { runId: earlier.runId, isOld: true };
    throw new Problem("conflict", "This Idempotency-Key was used for another call.");
  };
}
