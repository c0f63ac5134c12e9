import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { isFound, type Seeking } from "../../kit/service/resource-filters.ts";
import { findCircle } from "../store/circles.ts";
import type { TestDatabase } from "../store/tables.ts";
import { findTest, hasTests } from "../store/tests.ts";

/** What lists of tests, circles and schedules are filtered by. A test of an API proves the API without a call. */
export function createResourceFinders(parts: {
  db: TestDatabase;
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
}) {
  const { db } = parts;
  return {
    async apiId({ organizationId, requestId }: Seeking, apiId: string): Promise<boolean> {
      if (await hasTests(db, organizationId, apiId)) return true;
      const client = parts.apiRegistry({ token: await parts.serviceToken(organizationId), requestId });
      return isFound(await client.summarizeApi({ params: { apiId } }));
    },
    testId: async ({ organizationId }: Seeking, testId: string): Promise<boolean> =>
      (await findTest(db, { organizationId, testId })) !== undefined,
    testCircleId: async ({ organizationId }: Seeking, testCircleId: string): Promise<boolean> =>
      (await findCircle(db, { organizationId, testCircleId })) !== undefined,
  };
}
