import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { endAtLocation, listSilent } from "../store/silent-locations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { LocationReports } from "./location-reports.ts";

const everyMilliseconds = 10_000;
/** Long enough for an agent's machine to restart. */
const silentMinutes = 5;

/** Agents that have not called since then are silent. */
export const silentSince = (now: Date): Date => new Date(now.getTime() - silentMinutes * 60_000);

/** Reports silent locations, and ends what waits there: not run, and not failed. */
export function watchSilentLocations(parts: {
  db: ExecutionDatabase;
  clock: Clock;
  log: Logger;
  publishFinished: PublishFinished;
  reports: LocationReports;
}): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    work: async () => {
      // Before it is ended: what waits is what the location is needed for.
      await parts.reports.report(silentSince(parts.clock.now()));
      await endSilent(parts);
    },
    failure: "silent locations could not be looked at",
    log: parts.log,
  });
}

export async function endSilent({
  db,
  clock,
  publishFinished,
}: {
  db: ExecutionDatabase;
  clock: Clock;
  publishFinished: PublishFinished;
}): Promise<void> {
  const now = clock.now();
  const since = silentSince(now);
  for (const { organization_id: organizationId, location_id: locationId, name } of await listSilent(db, since)) {
    const reason = `Not run: no agent of ${name} has called for ${silentMinutes} minutes.`;
    await retryDeadlock(() =>
      db
        .transaction()
        .execute((transaction) =>
          endAtLocation(transaction, { organizationId, locationId, reason, since }, now, publishFinished),
        ),
    );
  }
}
