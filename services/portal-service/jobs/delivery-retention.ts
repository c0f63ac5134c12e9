import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { deleteDeliveriesBefore } from "../store/deliveries.ts";
import type { PortalDatabase } from "../store/tables.ts";

export const deliveryRetentionDays = 90;
const everyMilliseconds = 6 * 3_600_000;
const rowsOfStep = 500;

/** Deletes old deliveries in small steps. */
export async function retainDeliveries(db: PortalDatabase, clock: Clock, stopping?: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - deliveryRetentionDays * 86_400_000);
  while (!stopping?.aborted && (await deleteDeliveriesBefore(db, before, rowsOfStep)) === rowsOfStep);
}

export function startDeliveryRetention(parts: { db: PortalDatabase; clock: Clock; log: Logger }): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    work: (stopping) => retainDeliveries(parts.db, parts.clock, stopping),
    failure: "deliveries that are too old could not be deleted",
    log: parts.log,
  });
}
