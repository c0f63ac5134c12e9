import type { Logger } from "pino";
import { Problem } from "#contracts/kit/problem.ts";
import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import { isConfirmed } from "#libraries/running/host-rules.ts";
import type { Explore, Explored } from "#libraries/suite/exploration/exploring.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { RequireApi } from "../http/apis.ts";
import {
  claimExploration,
  endExploration,
  endLostExplorations,
  restartedMessage,
} from "../store/exploration-claims.ts";
import { type ExplorationRow, parseInput } from "../store/explorations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { type CallParts, createExplorationCall } from "./exploration-call.ts";
import { ExplorationEnding } from "./exploration-ending.ts";
import { type ExplorationInputParts, loadExplorationInput } from "./exploration-input.ts";
import { ExplorationJournal } from "./exploration-journal.ts";

export interface ExploringParts extends CallParts, ExplorationInputParts {
  db: ExecutionDatabase;
  log: Logger;
  requireApi: RequireApi;
  explore: Explore;
  /** Between two looks for its cancellation; a second if undefined. */
  storeMilliseconds?: number;
  /** For removing what it made once it was ended; 15 seconds if undefined. */
  removingMilliseconds?: number;
}

const everyMilliseconds = 2_000;

/** Runs the explorations that wait, one after the other, and ends those whose process died. */
export async function exploreWaiting(parts: ExploringParts, stopping: AbortSignal): Promise<void> {
  await endLostExplorations(parts.db, parts.clock.now());
  while (!stopping.aborted) {
    const row = await claimExploration(parts.db, parts.clock.now());
    if (!row) return;
    await runExploration(parts, row, stopping);
  }
}

async function runExploration(parts: ExploringParts, row: ExplorationRow, stopping: AbortSignal): Promise<void> {
  const { db, clock, log, storeMilliseconds = 1_000, removingMilliseconds = 15_000 } = parts;
  const hold = { organizationId: row.organization_id, id: row.id, fencingToken: row.fencing_token };
  const journal = new ExplorationJournal(parts, hold);
  const ending = new ExplorationEnding(removingMilliseconds);
  const stop = () => ending.end("stopping");
  stopping.addEventListener("abort", stop);
  const timer = setTimeout(() => ending.end("seconds"), parseInput(row).maxSeconds * 1_000);
  let storing: Promise<void> | undefined;
  const looking = setInterval(() => {
    storing ??= look(journal, ending)
      .catch((err: unknown) => log.warn({ err, explorationId: row.id }, "an exploration's progress was not stored"))
      .finally(() => {
        storing = undefined;
      });
  }, storeMilliseconds);
  let end: End;
  try {
    end = toEnd(await explore(parts, row, journal, ending), ending);
  } catch (error) {
    end = ending.interrupting.aborted ? toEnd({ isComplete: false }, ending) : failed(explainFailure(error));
    const isOurs = !ending.interrupting.aborted && !(error instanceof Problem);
    if (isOurs) log.error({ err: error, explorationId: row.id }, "an exploration failed");
  } finally {
    ending.settle();
    stopping.removeEventListener("abort", stop);
    clearTimeout(timer);
    clearInterval(looking);
    await storing;
  }
  if (ending.reason === "lost") return;
  await journal.storeFindings();
  await endExploration(db, hold, { ...end, finishedAt: clock.now() }, journal.toProgress());
}

async function look(journal: ExplorationJournal, ending: ExplorationEnding): Promise<void> {
  const stored = await journal.store();
  if (!stored) ending.end("lost");
  else if (stored.isCancelled) ending.end("cancelled");
}

async function explore(
  parts: ExploringParts,
  row: ExplorationRow,
  journal: ExplorationJournal,
  { ending, interrupting }: ExplorationEnding,
): Promise<Pick<Explored, "isComplete">> {
  const { organization_id: organizationId, api_id: apiId } = row;
  const { operations, ...input } = parseInput(row);
  const api = await parts.requireApi({ organizationId, requestId: row.id }, apiId);
  if (input.changes && !api.api.isDisposable) {
    throw new Problem("conflict", "The data of this API is no longer marked as disposable.");
  }
  const call = createExplorationCall(parts, {
    ...{ organizationId, api, input, signal: interrupting },
    isConfirmed: isConfirmed(row.trigger),
  });
  const known = await loadExplorationInput(parts, { organizationId, apiId }, operations);
  return await parts.explore(known, {
    ...{ seed: input.seed, maxRequests: input.maxRequests, changes: input.changes },
    ...{ call, signal: ending },
    onProgress: (progress) => journal.noteProgress(progress),
    onFinding: (finding) => journal.noteFinding(finding),
  });
}

type End = Pick<ExplorationSummary, "state" | "ending" | "message">;

const failed = (message: string): End => ({ state: "failed", ending: "failed", message });

function toEnd({ isComplete }: Pick<Explored, "isComplete">, { reason }: ExplorationEnding): End {
  if (isComplete) return { state: "finished", ending: "complete", message: null };
  if (reason === "cancelled") return { state: "cancelled", ending: "cancelled", message: null };
  if (reason === "stopping") return failed(restartedMessage);
  return { state: "finished", ending: reason === "seconds" ? "seconds" : "requests", message: null };
}

function explainFailure(error: unknown): string {
  if (!(error instanceof Problem)) return "Something went wrong on our side. Start it again with the same seed.";
  return [error.detail, ...(error.extras.errors ?? []).map(({ message }) => message)].filter(Boolean).join(" ");
}

/** @returns ends it: a running exploration removes what it made, for as long as `removingMilliseconds` */
export function startExploring(parts: ExploringParts): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    work: (stopping) => exploreWaiting(parts, stopping),
    failure: "explorations could not be looked for",
    log: parts.log,
  });
}
