import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Judging } from "#libraries/judging/judging.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";

type VerificationHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "judgeResponse" | "judgeExecutions" | "listVerifications"
>;

/** Creates the handlers that judge responses and read verifications. */
export function createVerificationHandlers(parts: {
  judging: Judging;
  clock: Clock;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): VerificationHandlers {
  const { judging } = parts;
  return {
    async judgeResponse({ caller, body }) {
      const { operation, response, ...rest } = body;
      const bodyBytes = response.bodyBytes ?? Buffer.byteLength(response.body ?? "");
      const receivedAt = rest.receivedAt ?? parts.clock.now().toISOString();
      const item = { ...rest, receivedAt, response: { ...response, bodyBytes } };
      return await judging.judge({ item, operation, owner: caller.organizationId });
    },

    async judgeExecutions({ caller, body }) {
      const items = body.items.map(({ operationKey, ...item }) => ({
        item,
        owner: caller.organizationId,
        operation: operationKey === undefined ? undefined : body.operations[operationKey],
      }));
      return { items: await judging.judgeAll(items) };
    },

    async listVerifications({ caller, params, requestId }) {
      const token = await parts.serviceToken(caller.organizationId);
      const result = await parts.testExecutioner({ token, requestId }).findVerifications({ params });
      if (result.ok) return { ...result.value, nextCursor: null };
      if (result.status === 404) throw notFound("execution");
      throw new Problem(result.problem.code, result.problem.detail);
    },
  };
}
