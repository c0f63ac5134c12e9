import { type Kysely, sql } from "kysely";
import type { ExplorationSummary, ExploredOperation } from "#contracts/test-executioner/explorations.ts";
import type { ExplorationRow } from "./explorations.ts";
import { type ExecutionTables, table } from "./tables.ts";

/** Long enough for a process that is busy, so that only a dead one loses its exploration. */
const leaseSeconds = 60;

export interface ExplorationHold {
  organizationId: string;
  id: string;
  fencingToken: number;
}

export const restartedMessage = "The portal was restarted. Start it again with the same seed.";

/** Claims the next one that waits: organizations take turns, each with its oldest first. */
export async function claimExploration(db: Kysely<ExecutionTables>, now: Date): Promise<ExplorationRow | undefined> {
  const { rows } = await sql<ExplorationRow>`
    with next as (
      select queued.organization_id, queued.id from ${table("explorations")} queued
      where queued.finished_at is null and queued.state = 'queued'
      order by (
        select max(started_at) from ${table("explorations")} earlier
        where earlier.organization_id = queued.organization_id
      ) nulls first, queued.id
      limit 1 for update of queued skip locked
    )
    update ${table("explorations")} exploration
    set state = 'running', fencing_token = exploration.fencing_token + 1, started_at = ${now}::timestamptz,
      leased_until = now() + make_interval(secs => ${leaseSeconds})
    from next where exploration.organization_id = next.organization_id and exploration.id = next.id
    returning exploration.*`.execute(db);
  return rows[0];
}

export interface StoredProgress {
  requests: number;
  findings: number;
  /** Only where it has changed. */
  explored?: readonly ExploredOperation[] | undefined;
}

const countExplored = (explored: readonly ExploredOperation[]) =>
  explored.reduce((sum, { leftOut }) => sum + (leftOut === undefined ? 1 : 0), 0);

const toColumns = ({ requests, findings, explored }: StoredProgress) => ({
  ...{ requests, findings },
  ...(explored ? { explored: JSON.stringify(explored), operations: countExplored(explored) } : {}),
});

/**
 * Stores the progress and extends the lease.
 * @returns undefined if the exploration was deleted, or no longer belongs to this process
 */
export async function storeProgress(
  db: Kysely<ExecutionTables>,
  { organizationId, id, fencingToken }: ExplorationHold,
  progress: StoredProgress,
): Promise<{ isCancelled: boolean } | undefined> {
  const row = await db
    .updateTable("explorations")
    .set({
      ...toColumns(progress),
      leased_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("fencing_token", "=", fencingToken)
    .where("state", "=", "running")
    .returning("is_cancelled")
    .executeTakeFirst();
  return row && { isCancelled: row.is_cancelled };
}

export async function endExploration(
  db: Kysely<ExecutionTables>,
  { organizationId, id, fencingToken }: ExplorationHold,
  end: Pick<ExplorationSummary, "state" | "ending" | "message"> & { finishedAt: Date },
  progress: StoredProgress,
): Promise<void> {
  await db
    .updateTable("explorations")
    .set({
      ...toColumns(progress),
      ...{ state: end.state, ending: end.ending, message: end.message, finished_at: end.finishedAt },
      leased_until: null,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("fencing_token", "=", fencingToken)
    .where("state", "=", "running")
    .execute();
}

/** Ends those whose process died: what they had made may be left, and no other process knows it. */
export async function endLostExplorations(db: Kysely<ExecutionTables>, now: Date): Promise<void> {
  await db
    .updateTable("explorations")
    .set({ state: "failed", ending: "failed", message: restartedMessage, finished_at: now, leased_until: null })
    .where("finished_at", "is", null)
    .where("state", "=", "running")
    .where("leased_until", "<", sql<Date>`now()`)
    .execute();
}
