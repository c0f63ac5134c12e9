import type { apiRegistryContract } from "../../api-registry/contract/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Verdict } from "../../test-executioner/contract/executions.ts";
import type { testAnalyzerContract } from "../contract/contract.ts";
import { coverOperation, normalizeMethod } from "../domain/coverage.ts";
import { fillPoints, startOfPeriod } from "../domain/trend.ts";
import { type LastVerdict, listLastVerdicts } from "../store/coverage.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { listExtremes, listPoints, type OperationRow } from "../store/trends.ts";
import { requireFromRegistry } from "./registry-answer.ts";

const keyOf = (operation: { method: string; path: string }) => `${normalizeMethod(operation.method)} ${operation.path}`;

function shownOperation(row: OperationRow) {
  const { api_id, method, path, executions, p95, flakiness } = row;
  return { apiId: api_id, method, path, executions, p95, flakiness };
}

/** Makes the handlers of what was recorded over time. */
export function createTrendHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  apiRegistry: Connect<typeof apiRegistryContract>;
}): Pick<Handlers<typeof testAnalyzerContract>, "getCoverage" | "getTrends"> {
  const { db, clock, apiRegistry } = parts;
  return {
    async getCoverage({ caller, params, query, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const page = requireFromRegistry(await registry.listOperations({ params, query }));
      const rows = await listLastVerdicts(db, caller.organizationId, params.apiId, page.items);
      const answers = new Map<string, LastVerdict[]>();
      for (const row of rows) answers.set(keyOf(row), [...(answers.get(keyOf(row)) ?? []), row]);
      return {
        ...page,
        items: page.items.map((operation) =>
          coverOperation(
            operation,
            (answers.get(keyOf(operation)) ?? []).map((row) => ({
              status: row.status_code,
              verdict: row.verdict as Verdict,
              executionId: row.execution_id,
              testId: row.test_id,
              finishedAt: row.finished_at.toISOString(),
            })),
          ),
        ),
      };
    },

    async getTrends({ caller, query }) {
      const now = clock.now();
      const from = startOfPeriod(now, query.days, query.step);
      const scope = { organizationId: caller.organizationId, apiId: query.apiId, testId: query.testId, from };
      const points = (await listPoints(db, scope, query.step)).map((row) => ({ ...row, from: row.from.toISOString() }));
      const operations = await listExtremes(db, scope);
      const ranked = (rank: "slow_rank" | "flaky_rank") =>
        operations.filter((row) => row[rank] <= 5).sort((one, other) => one[rank] - other[rank]);
      return {
        points: fillPoints(points, from, now, query.step),
        slowest: ranked("slow_rank")
          .filter((row) => row.p95 !== null)
          .map(shownOperation),
        flakiest: ranked("flaky_rank")
          .filter((row) => row.flakiness > 0)
          .map(shownOperation),
      };
    },
  };
}
