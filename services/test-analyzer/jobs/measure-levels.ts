import type { Connect } from "../../kit/client/client.ts";
import { requireAnswer } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { testExecutionerContract } from "../../test-executioner/contract/contract.ts";
import type { OutcomeCount } from "../../test-executioner/contract/counts.ts";
import type { MeasuredLevel } from "../contract/service-levels.ts";
import { burnHours, measureLevel, type Results, windowStart } from "../domain/service-level.ts";
import type { ServiceLevelRow } from "../store/service-levels.ts";

export type MeasureLevels = (
  organizationId: string,
  levels: readonly ServiceLevelRow[],
  requestId?: string,
) => Promise<MeasuredLevel[]>;

/** Says how service levels of one organization stand, by one call whatever their number and days. */
export function createMeasureLevels(parts: {
  clock: Clock;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): MeasureLevels {
  return async (organizationId, levels, requestId) => {
    if (levels.length === 0) return [];
    const now = parts.clock.now();
    const startOf = (hours: number) => windowStart(now, hours).toISOString();
    const windows = [...levels.map(({ days }) => days * 24), ...burnHours];
    const starts = [...new Set(windows.map(startOf))].sort();
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId });
    const subjectIds = levels.map(({ test_circle_id }) => test_circle_id);
    const counted = await executioner.countOutcomes({ body: { subjectIds, starts, until: now.toISOString() } });
    const { items } = requireAnswer(counted, "how circles fared");
    return levels.map((level, index) => {
      const resultsOf = (hours: number) => sumSince(items[index]!.steps, starts.indexOf(startOf(hours)), level);
      return measureLevel(level, resultsOf(level.days * 24), burnHours.map(resultsOf));
    });
  };
}

function sumSince(steps: readonly OutcomeCount[], first: number, { counts }: Pick<ServiceLevelRow, "counts">): Results {
  const results = { good: 0, bad: 0 };
  for (const step of steps.slice(first)) {
    results.good += counts === "passRate" ? step.passed : step.available;
    results.bad += counts === "passRate" ? step.notPassed : step.unavailable;
  }
  return results;
}
