import { z } from "@hono/zod-openapi";
import { type Connect, requireAnswer } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testAnalyzerContract } from "../../test-analyzer/contract/contract.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import type { Progress } from "../jobs/progress.ts";
import { deleteExecutionsOfApi, deleteExecutionsOfTests } from "../store/deletions.ts";
import {
  cancelQueued,
  findExecution,
  findExecutionWithAttempts,
  listExecutions,
  toSummary,
} from "../store/executions.ts";
import { listLatestOfTests, summarizeApis } from "../store/latest-executions.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

type ExecutionHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  | "listExecutions"
  | "getExecution"
  | "cancelExecution"
  | "listLatestExecutions"
  | "summarizeApis"
  | "deleteExecutionsOfTest"
  | "deleteExecutionsOfApi"
>;

export function createExecutionHandlers(parts: {
  db: ExecutionDatabase;
  clock: Clock;
  progress: Progress;
  testAnalyzer: Connect<typeof testAnalyzerContract>;
  serviceToken: IssueServiceToken;
}): ExecutionHandlers {
  const { db, clock, progress } = parts;

  async function forget(organizationId: string, requestId: string, what: { testId: string } | { apiId: string }) {
    const client = parts.testAnalyzer({ token: await parts.serviceToken(organizationId), requestId });
    requireAnswer(await client.forgetExecutions({ body: what }), "Recorded verifications could not be deleted");
  }

  return {
    async listExecutions({ caller, params, query }) {
      const { from, to, ...filter } = query;
      return await listExecutions(db, caller.organizationId, params.testId, {
        ...filter,
        from: readMoment("from", from),
        to: readMoment("to", to),
      });
    },
    async getExecution({ caller, params }) {
      const execution = await findExecutionWithAttempts(db, caller.organizationId, params.executionId);
      if (!execution) throw notFound("execution");
      return execution;
    },
    async cancelExecution({ caller, params }) {
      const { organizationId } = caller;
      const row = await db
        .transaction()
        .execute((transaction) => cancelQueued(transaction, organizationId, params.executionId, clock.now()));
      if (row) {
        progress.publish([
          { organizationId, apiId: row.api_id, testId: row.test_id, executionId: row.id, ended: true },
        ]);
        return toSummary(row);
      }
      const standing = await findExecution(db, organizationId, params.executionId);
      if (!standing) throw notFound("execution");
      if (standing.state === "cancelled") return toSummary(standing);
      throw new Problem("conflict", "Only an execution that has not started can be cancelled.");
    },
    async listLatestExecutions({ caller, query }) {
      return { items: await listLatestOfTests(db, caller.organizationId, readIds("testIds", query.testIds)) };
    },
    async summarizeApis({ caller, query }) {
      return { items: await summarizeApis(db, caller.organizationId, readIds("apiIds", query.apiIds)) };
    },
    async deleteExecutionsOfTest({ caller, params, requestId }) {
      await deleteExecutionsOfTests(db, caller.organizationId, [params.testId]);
      await forget(caller.organizationId, requestId, { testId: params.testId });
      return undefined;
    },
    async deleteExecutionsOfApi({ caller, params, requestId }) {
      await deleteExecutionsOfApi(db, caller.organizationId, params.apiId);
      await forget(caller.organizationId, requestId, { apiId: params.apiId });
      return undefined;
    },
  };
}

const mostIds = 200;

function readIds(path: string, text: string): string[] {
  const ids = [...new Set(text.split(",").filter(Boolean))];
  const errors = ids.every((id) => z.uuid().safeParse(id).success)
    ? []
    : [{ path, message: "Give identifiers, separated by commas" }];
  if (ids.length > mostIds) errors.push({ path, message: `Give at most ${mostIds} identifiers` });
  if (errors.length > 0) throw new Problem("malformed_request", undefined, { errors });
  return ids;
}

function readMoment(path: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === "") return undefined;
  const moment = new Date(text);
  // PostgreSQL's own limits lie elsewhere than JavaScript's; nothing ever ran outside these years.
  if (!(moment.getUTCFullYear() >= 1970 && moment.getUTCFullYear() <= 9999)) {
    throw new Problem("malformed_request", undefined, {
      errors: [{ path, message: "Write a time as in 2026-01-31T08:00:00Z" }],
    });
  }
  return moment;
}
