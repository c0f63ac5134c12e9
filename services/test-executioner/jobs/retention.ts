import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { firstIdOf } from "../../kit/database/id-time.ts";
import { assignClasses } from "../store/dated-details.ts";
import { deleteExplorationsBefore } from "../store/explorations.ts";
import {
  deleteCountsStep,
  deleteOperationCounts,
  deleteSnapshotsStep,
  deleteStep,
  dropMonths,
  firstKey,
  listOrganizations,
  type Walked,
} from "../store/retention.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { deleteNoticesBefore } from "../store/test-notices.ts";
import { dropDatedDetails, type WalkStep } from "./dated-retention.ts";

export interface Retention {
  detailsDays: number;
  verdictsDays: number;
}

export interface RetentionParts {
  db: Kysely<ExecutionTables>;
  clock: Clock;
  log: Logger;
  /** The retention of an organization's plan; null: without one, nothing is deleted; undefined: not known this time. */
  findRetention(organizationId: string): Promise<Retention | null | undefined>;
}

const dayMilliseconds = 86_400_000;
const everyMilliseconds = 6 * 3_600_000;
/** Target duration of a transaction; determines the number of rows. */
const longestStepMilliseconds = 200;
const rowsOfStep = { first: 200, least: 20, max: 2_000 };

/** Bodies first: they use nearly all of the space. */
const order: [Walked, keyof Retention][] = [
  ["execution_details", "detailsDays"],
  ["run_captures", "detailsDays"],
  ["executions", "verdictsDays"],
  ["occurrences", "verdictsDays"],
  ["runs", "verdictsDays"],
];

/**
 * When what an organization has stored is old enough to be deleted. Verdicts of the longest retention wait for the end of
 * their month, so that it is dropped instead of being deleted row by row; unless an organization keeps everything.
 * @returns by organization; and the time before which nothing has to be kept
 */
export function toCutoffs(retentions: ReadonlyMap<string, Retention>, now: Date, someKeepAll: boolean) {
  const longest = Math.max(...[...retentions.values()].map(({ verdictsDays }) => verdictsDays));
  const before = (days: number) => new Date(now.getTime() - days * dayMilliseconds);
  const canDrop = retentions.size > 0 && !someKeepAll;
  const oldest = canDrop ? before(longest) : undefined;
  const month = oldest && new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth(), 1));
  const detailsDays = new Map([...retentions].map(([id, stored]) => [id, before(stored.detailsDays)]));
  const verdictsDays = new Map(
    [...retentions].map(([id, stored]) => [
      id,
      month && stored.verdictsDays === longest ? month : before(stored.verdictsDays),
    ]),
  );
  return { detailsDays, verdictsDays, month };
}

/** Walks all stored data once and deletes rows older than their organization's plan allows. */
export async function retain({ db, clock, findRetention }: RetentionParts, stopping: AbortSignal): Promise<void> {
  const now = clock.now();
  const retentions = new Map<string, Retention>();
  const unlimited = new Set<string>();
  const organizations = await listOrganizations(db);
  for (const organizationId of organizations) {
    const retention = await findRetention(organizationId);
    if (retention) retentions.set(organizationId, retention);
    else if (retention === null) unlimited.add(organizationId);
  }
  const detailsDays = new Map([...retentions].map(([id, stored]) => [id, stored.detailsDays]));
  await assignClasses(db, detailsDays, now);
  /** Walks step by step to the end, with steps sized to stay short. */
  async function walk(step: WalkStep): Promise<void> {
    let after: string | undefined = firstKey;
    let limit = rowsOfStep.first;
    while (after !== undefined && !stopping.aborted) {
      const start = performance.now();
      after = await step(after, limit);
      const took = performance.now() - start;
      if (took > longestStepMilliseconds / 2) limit = Math.max(rowsOfStep.least, Math.floor(limit / 2));
      else if (took < longestStepMilliseconds / 4) limit = Math.min(rowsOfStep.max, limit * 2);
      // Rests as long as it worked, so that pages get at least every other turn.
      await new Promise((resolve) => setTimeout(resolve, took));
    }
  }
  await dropDatedDetails({ db, now, detailsDays, unlimited, walk }, stopping);
  const cutoffs = toCutoffs(retentions, now, retentions.size < organizations.length);
  if (cutoffs.month && !stopping.aborted) await dropMonths(db, now, cutoffs.month);
  for (const [walked, days] of order) {
    await walk((after, limit) => deleteStep(db, { walked, after, limit, cutoffs: cutoffs[days] }));
  }
  for (const organizationId of retentions.keys()) {
    const oldest = firstIdOf(cutoffs.detailsDays.get(organizationId)!);
    await deleteNoticesBefore(db, organizationId, oldest);
    await deleteExplorationsBefore(db, organizationId, oldest);
    const cutoff = cutoffs.verdictsDays.get(organizationId)!;
    await walk((after, limit) => deleteSnapshotsStep(db, { organizationId, after, limit }));
    await walk((after, limit) => deleteCountsStep(db, { organizationId, after, limit, cutoff }));
    if (!stopping.aborted) await deleteOperationCounts(db, organizationId, cutoff);
  }
  if (!stopping.aborted) await dropMonths(db, now, undefined);
}

/**
 * Applies retention at the start and four times a day.
 * @returns ends it, after the current step
 */
export function startRetention(parts: RetentionParts): () => Promise<void> {
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    work: (stopping) => retain(parts, stopping),
    failure: "what is too old could not be deleted",
    log: parts.log,
  });
}
