import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { listToSettle } from "../store/organization-plans.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { OwnPlans } from "./own-plans.ts";

const everyMilliseconds = 1_000;
const atOnce = 100;

/**
 * Updates plans that change by date alone (end of a grace or paid period), and those whose limits were changed.
 * @returns a function that stops it after the work in progress
 */
export function startPlanChecks(parts: {
  db: PortalDatabase;
  clock: Clock;
  ownPlans: OwnPlans;
  log: Logger;
}): () => Promise<void> {
  const { db, clock, ownPlans, log } = parts;
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    async work(stopping) {
      for (const organizationId of await listToSettle(db, clock.now(), atOnce)) {
        if (stopping.aborted) return;
        await db.transaction().execute((transaction) => ownPlans.settle(transaction, organizationId));
      }
    },
    failure: "plans could not be settled",
    log,
  });
}
