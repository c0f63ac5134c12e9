import type { MeasuredLevel } from "#contracts/test-analyzer/service-levels.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { burnHours, goodAndBad, measureLevel, windowStart } from "../domain/service-level.ts";
import type { ServiceLevelRow } from "../store/service-levels.ts";

export type MeasureLevels = (
  organizationId: string,
  levels: readonly ServiceLevelRow[],
  requestId?: string,
) => Promise<MeasuredLevel[]>;

/** Measures service levels of one organization, by one call for any number of levels and days. */
export function createMeasureLevels(parts: {
  clock: Clock;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): MeasureLevels {
  return async (organizationId, levels, requestId) => {
    if (levels.length === 0) return [];
    const now = parts.clock.now();
    const getStart = (hours: number) => windowStart(now, hours).toISOString();
    const windows = [...levels.map(({ days }) => days * 24), ...burnHours];
    const starts = [...new Set(windows.map(getStart))].sort();
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId });
    const subjectIds = levels.map(({ test_circle_id }) => test_circle_id);
    const counted = await executioner.countOutcomes({ body: { subjectIds, starts, until: now.toISOString() } });
    const { items } = requireValue(counted, "how circles fared");
    return levels.map((level, index) => {
      const getResults = (hours: number) =>
        goodAndBad(items[index]!.steps.slice(starts.indexOf(getStart(hours))), level.counts);
      return measureLevel(level, getResults(level.days * 24), burnHours.map(getResults));
    });
  };
}
