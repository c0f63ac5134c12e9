import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listChanges } from "../domain/comparison/changes.ts";
import { headersToCompare } from "../domain/comparison/compared-headers.ts";
import { isFailure } from "../domain/verdict.ts";
import { findExecution } from "../store/executions.ts";
import { findRun } from "../store/run-list.ts";
import { type EarlierExecution, findApi, listSameBefore } from "../store/same-before.ts";
import type { ExecutionDatabase, ExecutionRow } from "../store/tables.ts";
import { createBodyComparer } from "./compared-bodies.ts";

type ComparisonHandlers = Pick<Handlers<typeof testExecutionerContract>, "compareExecution">;

/** Maximum executions used to learn which members always differ. */
const maxPassed = 20;

export function createExecutionComparisonHandlers(db: ExecutionDatabase): ComparisonHandlers {
  const compareBodies = createBodyComparer(db);
  const compareHeaders = createBodyComparer(db, headersToCompare);

  /** Differences between two executions' responses, without those between passed ones. */
  async function compareResponses(execution: ExecutionRow, before: EarlierExecution, passed: EarlierExecution[]) {
    const rows = [{ ...execution, before }];
    const same = passed
      .slice(0, maxPassed)
      .map(({ id, status_code: statusCode }) => ({ memberId: execution.id, executionId: id, statusCode }));
    const [bodies, headers] = [await compareBodies(rows, same), await compareHeaders(rows, same)];
    return { body: bodies.get(execution.id) ?? null, headers: headers.get(execution.id) ?? null };
  }

  return {
    async compareExecution({ caller: { organizationId }, params }) {
      const execution = await findExecution(db, organizationId, params.executionId);
      const run = execution && (await findRun(db, organizationId, execution.run_id));
      if (!execution || !run) throw notFound("execution");
      const nothing = { passed: null, changes: [], headers: null, body: null };
      if (!isFailure(execution.verdict)) return { failures: 0, isWhole: true, ...nothing };
      const { items, isWhole } = await listSameBefore(db, execution, run);
      const passed = items.filter(({ verdict }) => !isFailure(verdict));
      const [before] = passed;
      if (!before) return { failures: items.length + 1, isWhole, ...nothing };
      const { body, headers } = await compareResponses(execution, before, passed);
      const { verdict: _, ...outcome } = getOutcome(before);
      const changes = listChanges(getOutcome(before), getOutcome(execution), body).filter(
        (change) => change !== "verdict",
      );
      const isOtherDocument = before.api?.documentId !== findApi(run.surroundings, execution.api_id)?.documentId;
      return {
        failures: items.indexOf(before) + 1,
        isWhole: true,
        passed: {
          executionId: before.id,
          runId: before.run_id,
          verdict: before.verdict!,
          finishedAt: before.finished_at!.toISOString(),
          ...outcome,
        },
        changes: [
          ...changes,
          ...(headers && headers.differenceCount > 0 ? (["headers"] as const) : []),
          ...(isOtherDocument ? (["document"] as const) : []),
        ],
        headers,
        body,
      };
    },
  };
}

function getOutcome(row: Pick<ExecutionRow, "verdict" | "status_code" | "response_milliseconds">) {
  return { verdict: row.verdict, statusCode: row.status_code, responseMilliseconds: row.response_milliseconds };
}
