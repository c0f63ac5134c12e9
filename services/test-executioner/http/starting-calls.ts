import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Connect } from "../../kit/client/client.ts";
import { readIdempotencyKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import type { RunSource } from "../contract/runs.ts";
import type { RunTrigger } from "../contract/verdicts.ts";
import { membersOf } from "../domain/members.ts";
import { worstVerdict } from "../domain/verdict.ts";
import { listMembers } from "../store/members.ts";
import { starterOf } from "../store/run-starters.ts";
import type { ExecutionDatabase, ExecutionRow } from "../store/tables.ts";
import type { RequireApi } from "./apis.ts";
import { loadTestsOfApi, requireNamedTests, requireValue } from "./loading-tests.ts";
import { requireMembers } from "./resolved-source.ts";
import { sourceOf } from "./run-sources.ts";
import type { StartRun } from "./starting.ts";
import type { WaitForEnd } from "./waiting.ts";

type StartingHandlers = Pick<Handlers<typeof testExecutionerContract>, "runTest" | "runTestsOfApi">;

interface Input {
  caller: Identity;
  request: Request;
  requestId: string;
  record: RecordChange;
  waitSeconds: number;
  source: RunSource;
  tests: Test[];
  body: {
    baseUrl?: string;
    environment?: string;
    variables?: Record<string, string>;
    trigger?: RunTrigger;
  };
}

/** The calls that were there before runs: each starts one in parallel and answers its executions. */
export function createStartingHandlers(parts: {
  db: ExecutionDatabase;
  testRegistry: Connect<typeof testRegistryContract>;
  requireApi: RequireApi;
  startRun: StartRun;
  waitForEnd: WaitForEnd;
}): StartingHandlers {
  const { db, testRegistry, requireApi, startRun, waitForEnd } = parts;

  async function run({ caller, request, requestId, record, waitSeconds, source, tests, body }: Input) {
    const { organizationId } = caller;
    const idempotencyKey = readIdempotencyKey(request, [body, tests.map(({ id }) => id)]);
    const members = tests.flatMap((test) => membersOf(test, "main"));
    requireMembers({ source, members, leftOut: 0 });
    const { baseUrl, environment, variables = {}, trigger = caller.sessionId ? "manual" : "api" } = body;
    const runId = await startRun({
      ...{ organizationId, requestId, source, members, idempotencyKey, trigger, variables, record },
      startedBy: starterOf(caller),
      leftOut: 0,
      joinUnfinished: false,
      captures: [],
      order: "parallel",
      concurrency: null,
      stopOnFailure: false,
      choose: () => ({ baseUrl, environment, path: "environment" }),
    });
    await waitForEnd(organizationId, runId, waitSeconds, request.signal);
    const executions = await listMembers(db, { organizationId, runId }, { after: 0, limit: members.length });
    return { runId, executions };
  }

  return {
    async runTest({ caller, params, query, body, request, requestId, record }) {
      const client = testRegistry({ token: caller.token, requestId });
      const test = requireValue(await client.getTest({ params }));
      const call = { caller, request, requestId, record, waitSeconds: query.wait, body };
      const { runId, executions } = await run({ ...call, source: sourceOf([test]), tests: [test] });
      return { runId, ...summarizeRows(executions) };
    },
    async runTestsOfApi({ caller, params, query, body, request, requestId, record }) {
      const client = testRegistry({ token: caller.token, requestId });
      const { testIds, ...overrides } = body;
      const { apiId } = params;
      const tests = testIds
        ? await requireNamedTests(client, testIds, { path: "testIds", apiId })
        : await loadTestsOfApi(client, apiId, true);
      if (tests.length === 0) {
        await requireApi({ organizationId: caller.organizationId, requestId }, apiId);
        await record(db);
        return { runId: null, items: [] };
      }
      const source: RunSource = testIds ? sourceOf(tests) : { kind: "api", apiId, include: "all" };
      const call = { caller, request, requestId, record, waitSeconds: query.wait, body: overrides };
      const { runId, executions } = await run({ ...call, source, tests });
      return {
        runId,
        items: executions.map(({ test_id, id, state, verdict }) => ({ testId: test_id, id, state, verdict })),
      };
    },
  };
}

function summarizeRows(executions: ExecutionRow[]) {
  if (executions.length === 0) throw new Problem("not_found", "There is no such execution.");
  const verdict = worstVerdict(executions.map((execution) => execution.verdict));
  const unfinished = executions.find(({ state }) => state === "queued" || state === "running");
  const shown = unfinished ?? executions.find((execution) => execution.verdict === verdict) ?? executions[0]!;
  const rows = executions.flatMap(({ id, row_index, state, verdict: own }) =>
    row_index === null ? [] : [{ row: row_index + 1, id, state, verdict: own }],
  );
  return {
    id: shown.id,
    state: shown.state,
    verdict: unfinished ? null : verdict,
    ...(rows.length > 0 ? { rows } : {}),
  };
}
