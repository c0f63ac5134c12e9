import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { listReady, type Prepared, type PublishSkipped, startReady } from "../store/occurrences.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

const everyMilliseconds = 1_000;
const maxAtOnce = 50;

interface ScheduledStart {
  organizationId: string;
  testCircleId: string;
  scheduleId: string;
  scheduleName?: string;
}

/**
 * Starts occurrences that waited for the previous run to end, or for an agent that may have started them.
 * @returns ends it, after pending starts
 */
export function startWaitingOccurrences(parts: {
  db: ExecutionDatabase;
  clock: Clock;
  startPreparing(): (start: ScheduledStart, requestId: string) => Promise<Prepared | undefined>;
  publishSkipped: PublishSkipped;
  log: Logger;
}): () => Promise<void> {
  const { db, clock, startPreparing, publishSkipped, log } = parts;
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    async work(stopping) {
      const prepareScheduled = startPreparing();
      for (const row of await listReady(db, maxAtOnce, clock.now())) {
        if (stopping.aborted) return;
        const start = {
          ...{ organizationId: row.organization_id, testCircleId: row.test_circle_id },
          ...{ scheduleId: row.schedule_id, scheduleName: row.schedule_name ?? undefined },
        };
        const prepared = await prepareScheduled(start, uuidv7());
        if (!prepared) continue;
        await retryDeadlock(() =>
          db.transaction().execute((transaction) => startReady(transaction, row, prepared, publishSkipped)),
        );
      }
    },
    failure: "what waited for a run to end could not be started",
    log,
  });
}
