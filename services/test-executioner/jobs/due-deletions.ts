import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { claimDeletions, settleDeletion } from "../store/deleted-tests.ts";
import {
  advance,
  type Deletion,
  type DeletionParts,
  deleteExecutionsOfApis,
  deleteExecutionsOfTests,
} from "../store/deletions.ts";

const everyMilliseconds = 5_000;
/** Maximum subjects of one event. */
const maxAtOnce = 500;
/** Batches at a time: a waiting caller gets a response within seconds, and no claim expires. */
const batches = 5;

interface Subjects {
  organizationId: string;
  /** Of tests, or of APIs. */
  subjectIds: string[];
}

/** Deletes the rest of tests and APIs, or begins to: the remainder is due at once then. */
export async function deleteSubjects(parts: DeletionParts & { clock: Clock }, subjects: Subjects): Promise<void> {
  const isAll = await advance(getDeletion(parts, subjects), batches);
  await settleDeletion(parts.db, subjects, isAll ? null : parts.clock.now());
}

async function* getDeletion(parts: DeletionParts, { organizationId, subjectIds }: Subjects): Deletion {
  yield* deleteExecutionsOfTests(parts, organizationId, subjectIds);
  yield* deleteExecutionsOfApis(parts, organizationId, subjectIds);
}

/**
 * Continues deletions that were too large for their event, or whose process died.
 * @returns ends it
 */
export function startDueDeletions(parts: DeletionParts & { clock: Clock; log: Logger }): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    async work(stopping) {
      for (;;) {
        const subjects = await claimDeletions(parts.db, parts.clock.now(), maxAtOnce);
        if (!subjects || stopping.aborted) return;
        await deleteSubjects(parts, subjects);
      }
    },
    failure: "executions of deleted tests could not be deleted",
    log: parts.log,
  });
}
