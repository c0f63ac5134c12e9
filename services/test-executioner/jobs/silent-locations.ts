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

interface WatchParts {
  db: ExecutionDatabase;
  clock: Clock;
  publishFinished: PublishFinished;
  reports: Pick<LocationReports, "report">;
}

/** Reports silent locations, and ends what waits there: not run, and not failed. */
export function watchSilentLocations(parts: WatchParts & { log: Logger }): () => Promise<void> {
  const begun = parts.clock.now();
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    work: () => lookAtSilence(parts, begun),
    failure: "silent locations could not be looked at",
    log: parts.log,
  });
}

/** @param begun when this process was there: no agent could call while the portal was away */
export async function lookAtSilence(parts: WatchParts, begun: Date): Promise<void> {
  const since = silentSince(parts.clock.now());
  if (since < begun) return;
  // Before it is ended: what waits is what the location is needed for.
  await parts.reports.report(since);
  await endSilent(parts);
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
