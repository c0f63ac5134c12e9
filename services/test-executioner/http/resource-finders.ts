import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { isFound, type Seeking } from "../../kit/service/resource-filters.ts";
import { hasRuns } from "../store/run-list.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** What lists of runs are filtered by. Runs outlive their circle, so they prove it without a call. */
export function createResourceFinders(parts: {
  db: ExecutionDatabase;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}) {
  const { db, serviceToken } = parts;
  const tests = async ({ organizationId, requestId }: Seeking) =>
    parts.testRegistry({ token: await serviceToken(organizationId), requestId });

  return {
    async apiId(by: Seeking, apiId: string): Promise<boolean> {
      const { organizationId, requestId } = by;
      if (await hasRuns(db, organizationId, { apiId })) return true;
      const client = parts.apiRegistry({ token: await serviceToken(organizationId), requestId });
      return isFound(await client.summarizeApi({ params: { apiId } }));
    },
    testId: async (by: Seeking, testId: string): Promise<boolean> =>
      isFound(await (await tests(by)).getTest({ params: { testId } })),
    async testCircleId(by: Seeking, testCircleId: string): Promise<boolean> {
      if (await hasRuns(db, by.organizationId, { testCircleId })) return true;
      return isFound(await (await tests(by)).getCircle({ params: { testCircleId } }));
    },
    scheduleId: async (by: Seeking, scheduleId: string): Promise<boolean> =>
      isFound(await (await tests(by)).getSchedule({ params: { scheduleId } })),
  };
}
