import type { Logger } from "pino";
import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { CircleEvent, TestEvent } from "#contracts/test-registry/events.ts";
import type { Connect } from "../../../kit/client/client.ts";
import type { Clock } from "../../../kit/clock/clock.ts";
import { type Around, createCodePart } from "../../../kit/code/code-part.ts";
import type { Publisher } from "../../../kit/events/publisher.ts";
import type { IssueServiceToken } from "../../../kit/identity/identity.ts";
import type { PlanLedger } from "../../../kit/plan/plan-ledger.ts";
import { findSchedule, listVersionsOfCircle } from "../../store/schedules.ts";
import { schemaName, type TestDatabase } from "../../store/tables.ts";
import type { CircleReferences } from "../circle-references.ts";
import type { CircleVariables } from "../circle-variables.ts";
import { createRequirePlanAllows } from "../plan-intervals.ts";
import type { ScheduleFence } from "../schedule-fence.ts";
import { createCircleKind } from "./circles.ts";
import { createReadCredentials } from "./credentials.ts";
import { createReadLocations } from "./locations.ts";
import { createMaintenanceWindowKind } from "./maintenance-windows.ts";
import { createScheduleKind } from "./schedules.ts";
import { createTestKind } from "./tests.ts";

interface Parts {
  db: TestDatabase;
  clock: Clock;
  log: Logger;
  publisher: Publisher<TestEvent | CircleEvent>;
  plans: PlanLedger;
  places: CircleReferences;
  variables: CircleVariables;
  fence: ScheduleFence;
  securityService: Connect<typeof securityServiceContract>;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}

const maxTries = 5;

/** Nothing starts by a version of a schedule that is about to change, as with changes in the portal. */
function createFenced({ db, fence }: Pick<Parts, "db" | "fence">): Around {
  return async (changed, { organizationId, requestId }, next) => {
    const isChanged = (kind: string) => changed.filter((one) => one.kind === kind && one.change?.action !== "create");
    const schedules = isChanged("schedule").map(({ id }) => id);
    const circles = isChanged("circle").flatMap(({ id, isDeletion }) => (isDeletion ? [id] : []));
    for (let tries = 1; ; tries += 1) {
      const own = await Promise.all(schedules.map((scheduleId) => findSchedule(db, { organizationId, scheduleId })));
      const ofCircles = await Promise.all(circles.map((id) => listVersionsOfCircle(db, organizationId, id)));
      await fence.raise({ organizationId, requestId }, [...own.flatMap((row) => row ?? []), ...ofCircles.flat()]);
      try {
        return await next();
      } catch (error) {
        // The scheduler counted a version up meanwhile.
        const isOutrun = error instanceof Problem && error.code === "stale_version" && schedules.length > 0;
        if (!isOutrun || tries === maxTries) throw error;
      }
    }
  };
}

/** The part of files that this service owns: tests, circles, schedules and maintenance windows. */
export function createTestRegistryPart(parts: Parts) {
  const readCredentials = createReadCredentials(parts);
  return createCodePart({
    ...parts,
    schema: schemaName,
    kinds: [
      createTestKind({ ...parts, readCredentials }),
      createCircleKind({ ...parts, readLocations: createReadLocations(parts) }),
      createScheduleKind({ requirePlanAllows: createRequirePlanAllows(parts.plans) }),
      createMaintenanceWindowKind(),
    ],
    around: createFenced(parts),
  });
}
