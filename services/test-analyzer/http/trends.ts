import type { apiRegistryContract } from "../../api-registry/contract/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testExecutionerContract } from "../../test-executioner/contract/contract.ts";
import type { testAnalyzerContract } from "../contract/contract.ts";
import { coverOperation } from "../domain/coverage.ts";
import { fillPoints, startOfPeriod } from "../domain/trend.ts";
import { requireFromService } from "./service-answer.ts";

/** Makes the handlers that say what executions add up to; the executioner has counted them. */
export function createTrendHandlers(parts: {
  clock: Clock;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): Pick<Handlers<typeof testAnalyzerContract>, "getCoverage" | "getTrends"> {
  const { clock, apiRegistry } = parts;

  async function executionerFor(organizationId: string, requestId: string) {
    return parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId });
  }

  return {
    async getCoverage({ caller, params, query, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const page = requireFromService(await registry.listOperations({ params, query }));
      const executioner = await executionerFor(caller.organizationId, requestId);
      const operations = page.items.map(({ method, path }) => ({ method, path }));
      const { items } = requireFromService(await executioner.listOperationVerdicts({ params, body: { operations } }));
      const answers = page.items.map((): typeof items => []);
      for (const item of items) answers[item.operation]?.push(item);
      return { ...page, items: page.items.map((operation, index) => coverOperation(operation, answers[index] ?? [])) };
    },

    async getTrends({ caller, query: { apiId, testId, days, step }, requestId }) {
      const now = clock.now();
      const start = startOfPeriod(now, days, step);
      const from = start.toISOString();
      const executioner = await executionerFor(caller.organizationId, requestId);
      const [counted, ranks] = await Promise.all([
        executioner.countExecutions({ query: { apiId, testId, from, step } }),
        testId === undefined ? executioner.rankOperations({ query: { apiId, from } }) : undefined,
      ]);
      return {
        points: fillPoints(requireFromService(counted).points, start, now, step),
        ...(ranks ? requireFromService(ranks) : { slowest: [], flakiest: [] }),
      };
    },
  };
}
