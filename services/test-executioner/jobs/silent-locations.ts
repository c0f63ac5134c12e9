import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { endAtLocation, listSilent } from "../store/silent-locations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

const everyMilliseconds = 10_000;
/** Long enough for an agent's machine to restart. */
const silentMinutes = 5;

/** Ends what waits at locations whose agents have fallen silent: not run, and not failed. */
export function watchSilentLocations(parts: {
  db: ExecutionDatabase;
  clock: Clock;
  log: Logger;
  publishFinished: PublishFinished;
}): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    work: () => endSilent(parts),
    failure: "what waits at silent locations could not be ended",
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
  const since = new Date(now.getTime() - silentMinutes * 60_000);
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
