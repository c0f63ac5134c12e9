import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { deleteUnusedFiles, touchNamedFiles } from "../store/files.ts";
import { removeExpiredImports } from "../store/imports.ts";
import type { TestDatabase } from "../store/tables.ts";

const intervalMilliseconds = 60 * 60_000;
/** A form that stored a file and was not saved may still be open; a run may have started with the test as it was. */
const keptMilliseconds = 24 * 60 * 60_000;

/** Deletes files that no test has named for a day, within the hour after it. @returns how many */
export async function removeUnusedFiles({ db, clock }: { db: TestDatabase; clock: Clock }): Promise<number> {
  const now = clock.now();
  await touchNamedFiles(db, now);
  return await deleteUnusedFiles(db, new Date(now.getTime() - keptMilliseconds));
}

/** Also of imports that were not confirmed within their hour. */
export function startFileRemoval(parts: { db: TestDatabase; clock: Clock; log: Logger }): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds,
    immediately: true,
    work: async () => {
      await removeExpiredImports(parts.db, parts.clock.now());
      await removeUnusedFiles(parts);
    },
    failure: "files that no test or import uses could not be deleted",
    log: parts.log,
  });
}
