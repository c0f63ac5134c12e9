import { type Kysely, sql, type Transaction } from "kysely";
import { locationSilent } from "../domain/cause.ts";
import { endQueued, lockDependentRuns, settleEndings } from "./endings.ts";
import type { PublishFinished } from "./finished-runs.ts";
import { type ExecutionTables, table } from "./tables.ts";

const unfinished = table("unfinished_executions");

/** Runs of which members wait, in one transaction. */
const maxRuns = 200;

export interface SilentLocation {
  organization_id: string;
  location_id: string;
  name: string;
}

/** Locations with members that have waited since before then, and without an agent that called since then. */
export async function listSilent(db: Kysely<ExecutionTables>, since: Date): Promise<SilentLocation[]> {
  const { rows } = await sql<SilentLocation>`
    select location.organization_id, location.id as location_id, location.name from ${table("locations")} location
    where exists (
      select from ${unfinished}
      where organization_id = location.organization_id and location_id = location.id and state = 'queued'
        and is_released and coalesce(waiting_since, queued_at) < ${since}::timestamptz
    ) and not exists (
      select from ${table("agents")}
      where organization_id = location.organization_id and location_id = location.id and revoked_at is null
        and last_seen_at >= ${since}::timestamptz
    )
    order by location.organization_id, location.id limit 100`.execute(db);
  return rows;
}

/**
 * Ends what waits at a location as skipped, with all members of the same runs that would wait there, too.
 * @param since only runs with a member that has waited since before then; all if undefined
 */
export async function endAtLocation(
  transaction: Transaction<ExecutionTables>,
  given: { organizationId: string; locationId: string; reason: string; since?: Date },
  now: Date,
  publishFinished: PublishFinished,
): Promise<void> {
  const { organizationId, locationId, reason, since } = given;
  const waits = sql`organization_id = ${organizationId}::uuid and location_id = ${locationId}::uuid
    and state = 'queued'`;
  const isDue = since ? sql`and is_released and coalesce(waiting_since, queued_at) < ${since}::timestamptz` : sql``;
  for (;;) {
    const { rows } = await sql<{ run_id: string }>`
      select distinct run_id from ${unfinished} where ${waits} ${isDue} order by run_id limit ${maxRuns}`.execute(
      transaction,
    );
    const runIds = rows.map(({ run_id }) => run_id);
    if (runIds.length === 0) return;
    const locked = await lockDependentRuns(transaction, runIds);
    const doomed = sql`
      select id, ${JSON.stringify(locationSilent(reason))}::text as cause, ${reason}::text as reason,
        ${now}::timestamptz as finished_at
      from ${unfinished} where ${waits} and run_id = any(${runIds}::uuid[]) order by id for update skip locked`;
    const endings = await endQueued(transaction, doomed, { state: "finished", verdict: "skipped" });
    // Others are claiming the rest.
    if (endings.length === 0) return;
    const { last } = await settleEndings(transaction, endings, locked, publishFinished);
    await Promise.all(last);
  }
}
