import { type Connect, requireAnswer } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testAnalyzerContract } from "../../test-analyzer/contract/contract.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { deleteExecutionsOfApi, deleteExecutionsOfTests } from "../store/deletions.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/**
 * What is kept of tests goes with them. It goes in batches, each of its own transaction, and there is nothing to mark:
 * hearing it twice, or after half of it was done, deletes what is left.
 */
export function createReceivedEventHandlers(parts: {
  db: ExecutionDatabase;
  testAnalyzer: Connect<typeof testAnalyzerContract>;
  serviceToken: IssueServiceToken;
}): Pick<Handlers<typeof testExecutionerContract>, "receiveEvent"> {
  const { db } = parts;
  return {
    async receiveEvent({ caller: { organizationId }, body: { type, payload }, requestId }) {
      const analyzer = parts.testAnalyzer({ token: await parts.serviceToken(organizationId), requestId });
      const forget = async (what: { testId: string } | { apiId: string }) =>
        requireAnswer(await analyzer.forgetExecutions({ body: what }), "Recorded verifications could not be deleted");
      if (type === "api.deleted") {
        await deleteExecutionsOfApi(db, organizationId, payload.apiId);
        await forget({ apiId: payload.apiId });
        return undefined;
      }
      await deleteExecutionsOfTests(db, organizationId, payload.testIds);
      for (const testId of payload.testIds) await forget({ testId });
      return undefined;
    },
  };
}
