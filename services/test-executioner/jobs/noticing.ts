import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { claimLooks, type Look, reachRuns, settleLook } from "../store/looked-at-runs.ts";
import { listDocuments, listUnmeasured } from "../store/passed-executions.ts";
import { parseSurroundings } from "../store/surroundings.ts";
import { type MeasureParts, measureNotices } from "./measure-notices.ts";

const everyMilliseconds = 30_000;
const organizationsOfTurn = 5;
const executionsOfLook = 400;
/** A test takes some 50 ms of the thread; the others follow in the next turns. */
const testsOfLook = 20;
const noticedRuns = "noticed_runs";

/**
 * Measures once what tests would notice that passed in a version, or with a document, for the first time. Tests that
 * run again unchanged cost one query for many runs.
 */
export async function noticeRuns(parts: MeasureParts, stopping: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  for (const look of await claimLooks(db, clock.now(), organizationsOfTurn, noticedRuns)) {
    if (stopping.aborted) return;
    await noticeRunsOf(parts, look, stopping);
  }
}

async function noticeRunsOf(parts: MeasureParts, look: Look, stopping: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  const { organizationId } = look;
  const now = clock.now();
  const reached = await reachRuns(db, look, now, executionsOfLook);
  const documents = (await listDocuments(db, organizationId, reached.runIds)).flatMap(({ id, surroundings }) =>
    parseSurroundings(surroundings).apis.map(({ apiId, documentId }) => ({ runId: id, apiId, documentId })),
  );
  const testIds = await listUnmeasured(db, organizationId, documents, testsOfLook);
  for (const testId of testIds) {
    if (stopping.aborted) break;
    await measureNotices(parts, { organizationId, testId });
  }
  const isWhole = testIds.length < testsOfLook && !stopping.aborted;
  await db
    .transaction()
    .execute((transaction) => settleLook(transaction, look, isWhole ? reached : look, now, noticedRuns));
}

/** @returns ends it, after the current test */
export function startNoticing(parts: MeasureParts): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    work: (stopping) => noticeRuns(parts, stopping),
    failure: "what tests would notice could not be measured",
    log: parts.log,
  });
}
