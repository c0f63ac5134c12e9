import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testAnalyzerContract } from "../contract/contract.ts";
import { findVerifications, forgetExecutions, recordExecutions } from "../store/executions.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import type { Judging } from "../worker/judge-all.ts";

type VerificationHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "judgeResponse" | "judgeExecutions" | "recordExecutions" | "forgetExecutions" | "listVerifications"
>;

function requireMoment(text: string, path: string): Date {
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new Problem("invalid_input", undefined, {
    errors: [{ path, message: "Give a moment as in 2026-01-31T09:30:00Z" }],
  });
}

/** Makes the handlers that judge, and that keep what was judged. */
export function createVerificationHandlers(parts: { db: AnalyzerDatabase; judging: Judging }): VerificationHandlers {
  const { db, judging } = parts;
  return {
    async judgeResponse({ body }) {
      const { operation, ...item } = body;
      const [judgement] = await judging.judgeAll([{ item, operation }]);
      if (!judgement) throw new Error("no judgement for one item");
      return judgement;
    },

    async judgeExecutions({ body }) {
      const items = body.items.map(({ operationKey, ...item }) => ({
        item,
        operation: operationKey === undefined ? undefined : body.operations[operationKey],
      }));
      return { items: await judging.judgeAll(items) };
    },

    async recordExecutions({ caller, body }) {
      const rows = body.items.map((item, index) => ({
        execution_id: item.executionId,
        organization_id: caller.organizationId,
        test_id: item.testId,
        // NUL has no place in PostgreSQL's text.
        test_name: item.testName.replaceAll("\u0000", ""),
        api_id: item.apiId,
        method: item.method,
        path: item.path.replaceAll("\u0000", ""),
        verdict: item.verdict,
        status_code: item.statusCode,
        response_milliseconds: item.responseMilliseconds,
        finished_at: requireMoment(item.finishedAt, `items[${index}].finishedAt`),
        verifications: item.verifications,
      }));
      // One statement can write a row once; the last of the same execution counts.
      await recordExecutions(db, [...new Map(rows.map((row) => [row.execution_id, row])).values()]);
      return undefined;
    },

    async forgetExecutions({ caller, body }) {
      await forgetExecutions(db, caller.organizationId, body);
      return undefined;
    },

    async listVerifications({ caller, params }) {
      const items = await findVerifications(db, caller.organizationId, params.executionId);
      if (!items) throw notFound("execution");
      return { items };
    },
  };
}
