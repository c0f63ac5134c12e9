import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { FindRecoveries } from "../jobs/recoveries.ts";

/** Creates the handler for tests that have passed while their incident is open. */
export function createRecoveringTestHandlers(
  findRecoveries: FindRecoveries,
): Pick<Handlers<typeof testAnalyzerContract>, "listRecoveringTests"> {
  return {
    async listRecoveringTests({ caller, query: { apiIds }, requestId }) {
      const recoveries = await findRecoveries(caller, { apiIds }, requestId);
      const byTest = new Map(recoveries.tests.map((test) => [test.testId, test]));
      return {
        items: [...byTest.values()].map((test) => ({
          ...{ testId: test.testId, testName: test.testName, apiId: test.apiId, incidentId: test.incidentId },
          since: test.since.toISOString(),
          recovery: recoveries.of(test),
        })),
      };
    },
  };
}
