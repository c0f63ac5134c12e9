import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { isFound, type Seeking } from "../../kit/service/resource-filters.ts";
import { findChannel } from "../store/alert-channels.ts";
import { hasIncidents } from "../store/incidents.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

/** What incidents, rules, marks and trends are filtered by. */
export function createResourceFinders(parts: {
  db: AnalyzerDatabase;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}) {
  const { db, serviceToken } = parts;
  const tests = async ({ organizationId, requestId }: Seeking) =>
    parts.testRegistry({ token: await serviceToken(organizationId), requestId });

  /** Incidents outlive the APIs and circles they name. */
  const hasHistory = async ({ organizationId, operation }: Seeking, of: Parameters<typeof hasIncidents>[2]) =>
    operation === "listIncidents" && (await hasIncidents(db, organizationId, of));

  return {
    async apiId(by: Seeking, apiId: string): Promise<boolean> {
      if (await hasHistory(by, { apiId })) return true;
      const { organizationId, requestId } = by;
      const client = parts.apiRegistry({ token: await serviceToken(organizationId), requestId });
      return isFound(await client.summarizeApi({ params: { apiId } }));
    },
    testId: async (by: Seeking, testId: string): Promise<boolean> =>
      isFound(await (await tests(by)).getTest({ params: { testId } })),
    async testCircleId(by: Seeking, testCircleId: string): Promise<boolean> {
      if (await hasHistory(by, { testCircleId })) return true;
      return isFound(await (await tests(by)).getCircle({ params: { testCircleId } }));
    },
    channelId: async ({ organizationId }: Seeking, channelId: string): Promise<boolean> =>
      (await findChannel(db, organizationId, channelId)) !== undefined,
  };
}
