import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listApiRuns } from "../store/api-runs.ts";
import { cancelExecution } from "../store/cancellations.ts";
import { advance, deleteExecutionsOfApis, deleteExecutionsOfTests } from "../store/deletions.ts";
import { findDetails, parseVerifications } from "../store/details.ts";
import { findExecution, findExecutionWithAttempts, listExecutions, toSummary } from "../store/executions.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { listLatestOfTests, listRecentVerdicts, pageOfLatest, summarizeApis } from "../store/latest-executions.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { RequireApi } from "./apis.ts";
import { readMoment } from "./moments.ts";
import type { RequireOwners } from "./required-owners.ts";

type ExecutionHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  | "listExecutions"
  | "getExecution"
  | "cancelExecution"
  | "listLatestExecutions"
  | "listLatestOfApi"
  | "summarizeApis"
  | "listApiRuns"
  | "deleteExecutionsOfTest"
  | "deleteExecutionsOfApi"
  | "findVerifications"
>;

export function createExecutionHandlers(parts: {
  db: ExecutionDatabase;
  clock: Clock;
  requireApi: RequireApi;
  requireTest: RequireOwners["requireTest"];
  publishFinished: PublishFinished;
}): ExecutionHandlers {
  const { db, clock, requireTest, publishFinished } = parts;
  const requireApi = ({ caller, requestId }: { caller: Identity; requestId: string }, apiId: string) =>
    parts.requireApi({ organizationId: caller.organizationId, requestId }, apiId);

  return {
    async listExecutions({ caller, params, query, requestId }) {
      const { from, to, ...filter } = query;
      const page = await listExecutions(db, caller.organizationId, params.testId, {
        ...filter,
        from: readMoment("from", from),
        to: readMoment("to", to),
      });
      if (page.items.length === 0) await requireTest({ caller, requestId }, params.testId);
      return page;
    },
    async getExecution({ caller, params }) {
      const execution = await findExecutionWithAttempts(db, caller.organizationId, params.executionId);
      if (!execution) throw notFound("execution");
      return execution;
    },
    async findVerifications({ caller, params }) {
      const { organizationId } = caller;
      const details = await findDetails(db, organizationId, params.executionId);
      if (details) return { items: parseVerifications(details) };
      if (await findExecution(db, organizationId, params.executionId)) return { items: [] };
      throw notFound("execution");
    },
    async cancelExecution({ caller, params, record }) {
      const { organizationId } = caller;
      const row = await retryDeadlock(() =>
        db.transaction().execute(async (transaction) => {
          const cancelled = await cancelExecution(
            transaction,
            organizationId,
            params.executionId,
            clock.now(),
            publishFinished,
          );
          await record(transaction, ...(cancelled ? [{ id: params.executionId }] : []));
          return cancelled;
        }),
      );
      if (row) return toSummary(row);
      const stored = await findExecution(db, organizationId, params.executionId);
      if (!stored) throw notFound("execution");
      if (stored.state === "cancelled") return toSummary(stored);
      throw new Problem("conflict", "Only an execution that has not started can be cancelled.");
    },
    async listLatestExecutions({ caller, query }) {
      const { organizationId } = caller;
      const items = await listLatestOfTests(db, organizationId, query.testIds);
      if (query.recent === 0) return { items };
      const recent = await listRecentVerdicts(db, organizationId, query.testIds, query.recent);
      return { items: items.map((item) => ({ ...item, recent: recent.get(item.testId) ?? [] })) };
    },
    async listLatestOfApi({ caller, params: { apiId }, query, requestId }) {
      const page = await pageOfLatest(db, { organizationId: caller.organizationId, apiId }, query);
      if (page.items.length === 0) await requireApi({ caller, requestId }, apiId);
      return page;
    },
    async summarizeApis({ caller, query }) {
      return { items: await summarizeApis(db, caller.organizationId, query.apiIds) };
    },
    async listApiRuns({ caller, query }) {
      return { items: await listApiRuns(db, caller.organizationId, query.apiIds) };
    },
    async deleteExecutionsOfTest({ caller, params, record, requestId }) {
      await requireTest({ caller, requestId }, params.testId);
      // Before the first batch: a deletion in many transactions is recorded in one.
      await record(db, { id: params.testId });
      await advance(deleteExecutionsOfTests({ db, publishFinished }, caller.organizationId, [params.testId]));
      return undefined;
    },
    async deleteExecutionsOfApi({ caller, params, record, requestId }) {
      await requireApi({ caller, requestId }, params.apiId);
      await record(db, { id: params.apiId });
      await advance(deleteExecutionsOfApis({ db, publishFinished }, caller.organizationId, [params.apiId]));
      return undefined;
    },
  };
}
