import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { readIdempotencyKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findRun } from "../store/run-list.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { getWaitSeconds } from "./preferred-wait.ts";
import type { RequireOwners } from "./required-owners.ts";
import type { StartSource } from "./starting-sources.ts";
import type { WaitForEnd } from "./waiting.ts";

type AllHandlers = Handlers<typeof testExecutionerContract>;
type CircleHandlers = Pick<
  AllHandlers,
  | "runCircle"
  | "listExecutionsOfCircle"
  | "listCircleExecutions"
  | "getCircleExecution"
  | "watchCircleExecution"
  | "cancelCircleExecution"
  | "reportCircleExecution"
>;

/** Runs of circles at their own paths, with the same responses as the calls on runs. */
export function createCircleExecutionHandlers(parts: {
  db: ExecutionDatabase;
  startSource: StartSource;
  waitForEnd: WaitForEnd;
  requireCircle: RequireOwners["requireCircle"];
  runs: Pick<AllHandlers, "listRuns" | "getRun" | "watchRun" | "cancelRun" | "reportRun">;
}): CircleHandlers {
  const { db, startSource, waitForEnd, requireCircle, runs } = parts;
  const ofRun = (params: { testCircleExecutionId: string }) => ({ params: { runId: params.testCircleExecutionId } });
  return {
    async runCircle({ caller, params, query, body, request, answerHeaders, requestId, record }) {
      const { organizationId } = caller;
      const { environment, variables, trigger } = body;
      const id = await startSource({
        ...{ caller, requestId, record, variables, trigger },
        idempotencyKey: readIdempotencyKey(request, body),
        source: params,
        order: "sequential",
        stopOnFailure: false,
        joinUnfinished: false,
        chooseEnvironment: () => ({ environment, path: "environment" }),
      });
      const seconds = getWaitSeconds({ query, request, answerHeaders });
      await waitForEnd(organizationId, id, seconds, request.signal);
      const run = await findRun(db, organizationId, id);
      if (!run) throw notFound("run");
      return { id, state: run.state, verdict: run.finished_at ? run.verdict : null };
    },
    async listExecutionsOfCircle({ params, query, ...call }) {
      const page = await runs.listRuns({ ...call, params: undefined, query: { ...query, ...params } });
      if ("items" in page && page.items.length === 0) await requireCircle(call, params.testCircleId);
      return page;
    },
    listCircleExecutions: ({ query, ...call }) => runs.listRuns({ ...call, query: { ...query, source: "circle" } }),
    getCircleExecution: (call) => runs.getRun({ ...call, ...ofRun(call.params) }),
    watchCircleExecution: (call) => runs.watchRun({ ...call, ...ofRun(call.params) }),
    cancelCircleExecution: (call) => runs.cancelRun({ ...call, ...ofRun(call.params) }),
    reportCircleExecution: (call) => runs.reportRun({ ...call, ...ofRun(call.params) }),
  };
}
