import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Api } from "../../api-registry/contract/apis.ts";
import type { apiRegistryContract } from "../../api-registry/contract/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { Queue } from "../../kit/queue/queue.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { worstVerdict } from "../domain/verdict.ts";
import { type ExecutionPayload, executionQueue } from "../jobs/execution-worker.ts";
import type { Progress } from "../jobs/progress.ts";
import type { Snapshots } from "../jobs/snapshots.ts";
import { type ExecutionStanding, listStandings } from "../store/executions.ts";
import { takeKey } from "../store/idempotency-keys.ts";
import { insertRun, type NewRun } from "../store/runs.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { loadTests, requireValue } from "./loading-tests.ts";
import { type Overrides, resolveFacts } from "./run-facts.ts";
import type { WaitForEnd } from "./waiting.ts";

type RunHandlers = Pick<Handlers<typeof testExecutionerContract>, "runTest" | "runTestsOfApi">;

export interface RunHandlerParts {
  db: ExecutionDatabase;
  queue: Queue;
  clock: Clock;
  testRegistry: Connect<typeof testRegistryContract>;
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
  snapshots: Snapshots;
  progress: Progress;
  waitForEnd: WaitForEnd;
}

interface RunInput {
  caller: Identity;
  request: Request;
  waitSeconds: number;
  api: Api;
  tests: Test[];
  overrides: Overrides;
}

/** Of one call; a test of a thousand rows counts a thousand times. */
const mostExecutions = 10_000;

export function createRunHandlers(parts: RunHandlerParts): RunHandlers {
  const { db, testRegistry, waitForEnd } = parts;

  async function run(input: RunInput): Promise<ExecutionStanding[]> {
    const { caller, request, waitSeconds, api, tests, overrides } = input;
    const key = readIdempotencyKey(request);
    if (tests.length === 0) return [];
    const newRun: NewRun = {
      id: uuidv7(),
      organizationId: caller.organizationId,
      apiId: api.id,
      facts: resolveFacts(api, overrides),
      trigger: triggerOf(caller),
      createdAt: parts.clock.now(),
      executions: tests.flatMap(listExecutionsOf),
    };
    if (newRun.executions.length > mostExecutions) {
      throw new Problem(
        "invalid_input",
        `This would be ${newRun.executions.length} executions; at most ${mostExecutions} fit one call.`,
      );
    }
    const target = hashOf([new URL(request.url).pathname, overrides, tests.map(({ id }) => id)]);
    const { executionIds, areOld } = await store(parts, newRun, key ? { key, target } : undefined);
    if (waitSeconds > 0) {
      await waitForEnd(caller.organizationId, executionIds, waitSeconds, request.signal, { areOld });
    }
    return await listStandings(db, caller.organizationId, executionIds);
  }

  return {
    async runTest({ caller, params, query, body, request, requestId }) {
      const client = testRegistry({ token: caller.token, requestId });
      const test = requireValue(await client.getTest({ params }));
      const api = await requireApi(parts, caller.organizationId, test.apiId, requestId);
      const standings = await run({
        caller,
        request,
        waitSeconds: query.wait,
        api,
        tests: [test],
        overrides: body,
      });
      return summarizeRows(standings);
    },
    async runTestsOfApi({ caller, params, query, body, request, requestId }) {
      const client = testRegistry({ token: caller.token, requestId });
      const { testIds, ...overrides } = body;
      const [api, tests] = await Promise.all([
        requireApi(parts, caller.organizationId, params.apiId, requestId),
        loadTests(client, params.apiId, testIds),
      ]);
      const standings = await run({
        caller,
        request,
        waitSeconds: query.wait,
        api,
        tests,
        overrides,
      });
      return { items: standings.map(({ testId, id, state, verdict }) => ({ testId, id, state, verdict })) };
    },
  };
}

async function requireApi(
  { apiRegistry, serviceToken }: RunHandlerParts,
  organizationId: string,
  apiId: string,
  requestId: string,
): Promise<Api> {
  // By the service's own right: whoever may run a test may do so without being allowed to read APIs.
  const client = apiRegistry({ token: await serviceToken(organizationId), requestId });
  return requireValue(await client.getApi({ params: { apiId } }));
}

/** A person's session, a token made for machines, or one of our own services on a schedule's behalf. */
function triggerOf(caller: Identity): NewRun["trigger"] {
  if (caller.kind === "service") return "schedule";
  return caller.sessionId ? "manual" : "api";
}

function listExecutionsOf(test: Test): NewRun["executions"] {
  if (!test.data || test.data.length === 0) return [{ id: uuidv7(), test, rowIndex: null }];
  return test.data.map((_, rowIndex) => ({ id: uuidv7(), test, rowIndex }));
}

function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key !== undefined && !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new Problem("malformed_request", "Idempotency-Key has to be 1 to 200 visible ASCII characters.");
  }
  return key;
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

/** Executions and their jobs in one transaction: both exist or neither. Answers the ids, the first call's on a repetition. */
async function store(
  { db, queue, snapshots, progress }: RunHandlerParts,
  run: NewRun,
  idempotency: { key: string; target: string } | undefined,
): Promise<{ executionIds: string[]; areOld: boolean }> {
  const { organizationId, apiId } = run;
  const ids = run.executions.map(({ id }) => id);
  // Before the commit: the worker may ask for them at once.
  snapshots.remember(
    run.id,
    run.facts,
    run.executions.map(({ test }) => test),
  );
  const earlier = await retryDeadlock(() =>
    db.transaction().execute(async (transaction) => {
      if (idempotency) {
        const call = { ...idempotency, organizationId, executionIds: ids, now: run.createdAt };
        const first = await takeKey(transaction, call);
        if (first) return first;
      }
      await insertRun(transaction, run);
      const jobs = ids.map((id) => ({ id, payload: { executionId: id, organizationId } satisfies ExecutionPayload }));
      await queue.send(transaction, executionQueue, jobs, { group: organizationId });
      return undefined;
    }),
  );
  if (earlier) {
    if (earlier.target === idempotency?.target) return { executionIds: earlier.executionIds, areOld: true };
    throw new Problem("conflict", "This Idempotency-Key was used for another call.");
  }
  queue.wake(executionQueue);
  progress.publish(
    run.executions.map(({ id, test }) => ({ organizationId, apiId, testId: test.id, executionId: id, ended: false })),
  );
  return { executionIds: ids, areOld: false };
}

/**
 * A run that starts while the one before ends locks the same tests' rows in another order; PostgreSQL then lets one of
 * the two fail. The result writer tries again too.
 */
async function retryDeadlock<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let number = 1; ; number += 1) {
    try {
      return await work();
    } catch (error) {
      if (number === 3 || (error as { code?: string }).code !== deadlockDetected) throw error;
    }
  }
}

const deadlockDetected = "40P01";

function summarizeRows(standings: ExecutionStanding[]) {
  if (standings.length === 0) throw new Problem("not_found", "There is no such execution.");
  const verdict = worstVerdict(standings.map((standing) => standing.verdict));
  const unfinished = standings.find(({ state }) => state === "queued" || state === "running");
  const shown = unfinished ?? standings.find((standing) => standing.verdict === verdict) ?? standings[0]!;
  const rows = standings.flatMap(({ id, rowIndex, state, verdict: own }) =>
    rowIndex === null ? [] : [{ row: rowIndex + 1, id, state, verdict: own }],
  );
  return {
    id: shown.id,
    state: shown.state,
    verdict: unfinished ? null : verdict,
    ...(rows.length > 0 ? { rows } : {}),
  };
}
