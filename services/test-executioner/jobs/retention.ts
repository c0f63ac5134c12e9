import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import {
  deleteCountsStep,
  deleteOperationCounts,
  deleteSnapshotsStep,
  deleteStep,
  dropEmptyPartitions,
  firstKey,
  listOrganizations,
  type Walked,
} from "../store/retention.ts";
import type { ExecutionTables } from "../store/tables.ts";

export interface Retention {
  detailsDays: number;
  verdictsDays: number;
}

export interface RetentionParts {
  db: Kysely<ExecutionTables>;
  clock: Clock;
  log: Logger;
  /** What an organization's plan keeps; undefined: nothing of theirs is deleted. */
  findRetention(organizationId: string): Promise<Retention | undefined>;
}

const dayMilliseconds = 86_400_000;
const everyMilliseconds = 6 * 3_600_000;
/** A transaction of retention may take so long; the number of rows follows. */
const longestStepMilliseconds = 200;
const rowsOfStep = { first: 200, least: 20, most: 2_000 };

/** Bodies first: they are nearly all of the space. */
const order: [Walked, keyof Retention][] = [
  ["execution_details", "detailsDays"],
  ["run_captures", "detailsDays"],
  ["executions", "verdictsDays"],
  ["occurrences", "verdictsDays"],
  ["runs", "verdictsDays"],
];

/** Goes once through what is kept and deletes what is older than its organization's plan says. */
export async function retain({ db, clock, findRetention }: RetentionParts, stopping: AbortSignal): Promise<void> {
  const now = clock.now();
  const retentions = new Map<string, Retention>();
  for (const organizationId of await listOrganizations(db)) {
    const retention = await findRetention(organizationId);
    if (retention) retentions.set(organizationId, retention);
  }
  /** Step by step to the end, each as large as keeps it short. */
  async function walk(step: (after: string, limit: number) => Promise<string | undefined>): Promise<void> {
    let after: string | undefined = firstKey;
    let limit = rowsOfStep.first;
    while (after !== undefined && !stopping.aborted) {
      const start = performance.now();
      after = await step(after, limit);
      const took = performance.now() - start;
      if (took > longestStepMilliseconds / 2) limit = Math.max(rowsOfStep.least, Math.floor(limit / 2));
      else if (took < longestStepMilliseconds / 4) limit = Math.min(rowsOfStep.most, limit * 2);
      // As long as it worked it rests, so that pages get at least every other turn.
      await new Promise((resolve) => setTimeout(resolve, took));
    }
  }
  for (const [walked, days] of order) {
    const cutoffs = new Map(
      [...retentions].map(([id, kept]) => [id, new Date(now.getTime() - kept[days] * dayMilliseconds)]),
    );
    await walk((after, limit) => deleteStep(db, { walked, after, limit, cutoffs }));
  }
  for (const [organizationId, { verdictsDays }] of retentions) {
    const cutoff = new Date(now.getTime() - verdictsDays * dayMilliseconds);
    await walk((after, limit) => deleteSnapshotsStep(db, { organizationId, after, limit }));
    await walk((after, limit) => deleteCountsStep(db, { organizationId, after, limit, cutoff }));
    if (!stopping.aborted) await deleteOperationCounts(db, organizationId, cutoff);
  }
  if (!stopping.aborted) await dropEmptyPartitions(db, now);
}

/** Retains at the start and four times a day. @returns ends it, after the step that is running */
export function startRetention(parts: RetentionParts): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    work: (stopping) => retain(parts, stopping),
    failure: "what is too old could not be deleted",
    log: parts.log,
  });
}
