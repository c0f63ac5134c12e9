import { Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { RunSource } from "#contracts/test-executioner/runs.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Connect } from "../../kit/client/client.ts";
import { readIdempotencyKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { toMembers } from "../domain/members.ts";
import { triggerFor } from "../domain/trigger.ts";
import { worstVerdict } from "../domain/verdict.ts";
import { listMembers } from "../store/members.ts";
import { toStarter } from "../store/run-starters.ts";
import type { ExecutionDatabase, ExecutionRow } from "../store/tables.ts";
import type { RequireApi } from "./apis.ts";
import { loadTestsOfApi, requireNamedTests, requireValue } from "./loading-tests.ts";
import { getWaitSeconds } from "./preferred-wait.ts";
import { maxExecutions, requireMembers } from "./resolved-source.ts";
import { toSource } from "./run-sources.ts";
import { findStarted, type StartRun } from "./starting.ts";
import type { WaitForEnd } from "./waiting.ts";

type StartingHandlers = Pick<Handlers<typeof testExecutionerContract>, "runTest" | "runTestsOfApi">;

interface Input {
  caller: Identity;
  request: Request;
  requestId: string;
  record: RecordChange;
  waitSeconds: number;
  body: {
    baseUrl?: string;
    environment?: string;
    variables?: Record<string, string>;
    trigger?: RunTrigger;
  };
  find(): Promise<{ source: RunSource; tests: Test[] }>;
}

/** The calls from before runs existed: each starts one in parallel and returns its executions. */
export function createStartingHandlers(parts: {
  db: ExecutionDatabase;
  testRegistry: Connect<typeof testRegistryContract>;
  requireApi: RequireApi;
  startRun: StartRun;
  waitForEnd: WaitForEnd;
}): StartingHandlers {
  const { db, testRegistry, requireApi, startRun, waitForEnd } = parts;

  /** @returns null if there is nothing to run */
  async function start(input: Input): Promise<string | null> {
    const { caller, request, requestId, record, body } = input;
    const { organizationId } = caller;
    const idempotencyKey = readIdempotencyKey(request, body);
    const started = await findStarted(db, { organizationId, idempotencyKey, record });
    if (started) return started;
    const { source, tests } = await input.find();
    if (tests.length === 0) {
      await record(db);
      return null;
    }
    const members = tests.flatMap((test) => toMembers(test, "main"));
    requireMembers({ source, members, leftOut: 0 }, 1);
    const { baseUrl, environment, variables = {} } = body;
    const trigger = triggerFor(caller, body.trigger);
    return await startRun({
      ...{ organizationId, requestId, source, members, idempotencyKey, trigger, variables, record },
      startedBy: toStarter(caller),
      leftOut: 0,
      joinUnfinished: false,
      captures: [[]],
      order: "parallel",
      concurrency: null,
      stopOnFailure: false,
      onlyOwn: false,
      choose: () => ({ baseUrl, environment, path: "environment" }),
    });
  }

  async function run(input: Input) {
    const { organizationId } = input.caller;
    const runId = await start(input);
    if (!runId) return { runId, executions: [] };
    await waitForEnd(organizationId, runId, input.waitSeconds, input.request.signal);
    const executions = await listMembers(db, { organizationId, runId }, { after: 0, limit: maxExecutions });
    return { runId, executions };
  }

  return {
    async runTest({ caller, params, query, body, request, answerHeaders, requestId, record }) {
      const client = testRegistry({ token: caller.token, requestId });
      const waitSeconds = getWaitSeconds({ query, request, answerHeaders });
      const call = { caller, request, requestId, record, waitSeconds, body };
      const { runId, executions } = await run({
        ...call,
        async find() {
          const test = requireValue(await client.getTest({ params }));
          return { source: toSource([test]), tests: [test] };
        },
      });
      return { runId: runId!, ...summarizeRows(executions) };
    },
    async runTestsOfApi({ caller, params: { apiId }, query, body, request, answerHeaders, requestId, record }) {
      const client = testRegistry({ token: caller.token, requestId });
      const { testIds } = body;
      const waitSeconds = getWaitSeconds({ query, request, answerHeaders });
      const call = { caller, request, requestId, record, waitSeconds, body };
      const { runId, executions } = await run({
        ...call,
        async find() {
          const tests = testIds
            ? await requireNamedTests(client, testIds, { path: "testIds", apiId })
            : await loadTestsOfApi(client, apiId, true);
          if (tests.length === 0) await requireApi({ organizationId: caller.organizationId, requestId }, apiId);
          return { source: testIds ? toSource(tests) : { kind: "api", apiId, include: "all" }, tests };
        },
      });
      return {
        runId,
        items: executions.map(({ test_id, id, state, verdict }) => ({ testId: test_id, id, state, verdict })),
      };
    },
  };
}

function summarizeRows(executions: ExecutionRow[]) {
  if (executions.length === 0) throw new Problem("not_found", "No such execution.");
  const verdict = worstVerdict(executions.map((execution) => execution.verdict));
  const unfinished = executions.find(({ state }) => state === "queued" || state === "running");
  const displayed = unfinished ?? executions.find((execution) => execution.verdict === verdict) ?? executions[0]!;
  const rows = executions.flatMap(({ id, row_index, state, verdict: own }) =>
    row_index === null ? [] : [{ row: row_index + 1, id, state, verdict: own }],
  );
  return {
    id: displayed.id,
    state: displayed.state,
    verdict: unfinished ? null : verdict,
    ...(rows.length > 0 ? { rows } : {}),
  };
}
