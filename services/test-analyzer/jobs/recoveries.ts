import type { Recovery } from "#contracts/test-analyzer/recoveries.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { getIncidentRecovery, getRecovery, type RecoveringTest } from "../domain/incident/recovery.ts";
import { listRecoveringTests } from "../store/recovering-tests.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

const maxTests = 200;

export interface Recoveries {
  tests: RecoveringTest[];
  of(test: RecoveringTest): Recovery;
  /** @param failing number of tests that the incident causes to fail */
  ofIncident(incident: { id: string; failing: number }): Recovery | null;
}

/** Finds the tests that have passed while their incident is open, and what resolves it. */
export function createFindRecoveries(parts: {
  db: AnalyzerDatabase;
  testRegistry: Connect<typeof testRegistryContract>;
}) {
  return async (
    { organizationId, token }: Pick<Identity, "organizationId" | "token">,
    of: { incidentIds?: readonly string[]; apiIds?: readonly string[] },
    requestId: string,
  ): Promise<Recoveries> => {
    const tests = await listRecoveringTests(parts.db, organizationId, { ...of, limit: maxTests });
    const circleIds = [...new Set(tests.flatMap(({ testCircleId }) => testCircleId ?? []))];
    const registry = parts.testRegistry({ token, requestId });
    const nextRuns = new Map<string, string>();
    await Promise.all(
      circleIds.map(async (testCircleId) => {
        const schedules = await registry.listSchedulesOfCircle({ params: { testCircleId }, query: { limit: 1 } });
        const next = schedules.ok ? schedules.value.items[0]?.next : undefined;
        if (next) nextRuns.set(testCircleId, next.at);
      }),
    );
    return {
      tests,
      of: (test) => getRecovery(test, nextRuns),
      ofIncident: ({ id, failing }) =>
        getIncidentRecovery(
          tests.filter(({ incidentId }) => incidentId === id),
          failing,
          nextRuns,
        ),
    };
  };
}

export type FindRecoveries = ReturnType<typeof createFindRecoveries>;
