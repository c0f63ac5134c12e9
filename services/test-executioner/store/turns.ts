import { type QueryExecutorProvider, sql } from "kysely";
import { prepared } from "../../kit/database/prepared.ts";
import type { Waiting } from "./changes.ts";
import { type ClaimedExecution, claimedColumns } from "./claims.ts";
import { table } from "./tables.ts";

/** How the worker that ends a member claims its successor. */
export interface Taking {
  leaseSeconds: number;
  now: Date;
}

/** How many members of a run are claimed this way. */
export interface Takings extends Taking {
  max: number;
}

const unfinished = table("unfinished_executions");
/** As the column holds it. A run may have fewer executions than its last position: members are deleted with their tests. */
export const lastPosition = 2_147_483_647;

export interface Released {
  /** Those that became claimable and were not handed on. */
  released: Waiting[];
  /** Of those, and of those already waiting: claimed for the workers that continue with their runs. */
  handed: ClaimedExecution[];
}

/**
 * If members take turns, makes the next ones claimable: the first that has not ended; for a parallel circle's members
 * between set-up and tear-down, as many of the first as may run at once; each of several places on its own. For each run that a worker continues, claims
 * the first waiting members at once, as many as it has ended.
 */
export async function releaseNext(
  db: QueryExecutorProvider,
  runIds: string[],
  takings: ReadonlyMap<string, Takings> = new Map(),
): Promise<Released> {
  if (runIds.length === 0) return { released: [], handed: [] };
  const { rows } = await sql<
    ClaimedExecution & Waiting & { is_handed: boolean; is_new: boolean }
  >`${prepared("release_next")}
    with next as (
      select member.id, not member.is_released as is_new,
        member.location_id is null
          and row_number() over (partition by run.id order by member.position) <= given.most as is_handed,
        given.lease_seconds, given.started_at
      from unnest(
        ${runIds}::uuid[],
        ${runIds.map((id) => takings.get(id)?.max ?? 0)}::int[],
        ${runIds.map((id) => takings.get(id)?.leaseSeconds ?? null)}::float8[],
        ${runIds.map((id) => takings.get(id)?.now.toISOString() ?? null)}::timestamptz[]
      ) as given(run_id, most, lease_seconds, started_at)
      join ${table("runs")} run on run.id = given.run_id,
      generate_series(0, case when run.series_size is null then 0 else (
        select coalesce(max(position) - 1, 0) from ${unfinished} where run_id = run.id
      ) / run.series_size end) place,
      lateral (
        select run.series_size * place as behind, coalesce(run.series_size * (place + 1), ${lastPosition}::int) as up_to
      ) series, lateral (
        select phase from ${unfinished}
        where run_id = run.id and position > coalesce(series.behind, 0) and position <= series.up_to
        order by position limit 1
      ) first, lateral (
        select id, position, is_released, state, location_id from ${unfinished}
        where run_id = run.id and phase = first.phase and position > coalesce(series.behind, 0)
          and position <= series.up_to
        order by position limit case when first.phase = 'main' then coalesce(run.concurrency, 1) else 1 end
      ) member
      where run.unfinished > 0 and (run.execution_order = 'sequential' or run.concurrency is not null)
        and member.state = 'queued'
    )
    update ${unfinished} execution set is_released = true,
      waiting_since = case when next.is_new then now() else execution.waiting_since end,
      state = case when is_handed then 'running' else execution.state end,
      fencing_token = execution.fencing_token + is_handed::int,
      claims = execution.claims + is_handed::int,
      leased_until = case when is_handed then now() + make_interval(secs => next.lease_seconds) end,
      started_at = case when is_handed then coalesce(execution.started_at, next.started_at)
        else execution.started_at end
    from next where execution.id = next.id and execution.state = 'queued' and (is_handed or not execution.is_released)
    returning ${claimedColumns}, execution.location_id, is_handed, is_new`.execute(db);
  return {
    released: rows.filter(({ is_new, is_handed }) => is_new && !is_handed),
    handed: rows.filter(({ is_handed }) => is_handed),
  };
}
