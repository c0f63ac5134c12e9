import { type QueryExecutorProvider, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { prepared } from "../../kit/database/prepared.ts";
import { type ExecutionTables, table, type UnfinishedRow } from "./tables.ts";

export type ClaimedExecution = Pick<
  UnfinishedRow,
  | "id"
  | "organization_id"
  | "run_id"
  | "position"
  | "phase"
  | "test_id"
  | "test_version"
  | "test_name"
  | "api_id"
  | "method"
  | "path"
  | "row_index"
  | "trigger"
  | "fencing_token"
  | "claims"
> & { reserves: boolean };

export type Hold = Pick<ClaimedExecution, "id" | "fencing_token">;

export interface ClaimOptions {
  /** Maximum in total. */
  max: number;
  /** Maximum per organization that is not in `rooms`. */
  mostOfOne: number;
  /** How many more this process accepts for organizations that it already works for; none at 0. */
  capacities: ReadonlyMap<string, number>;
  /** Organizations in the order of their last turn, the longest ago first. */
  served: readonly string[];
  /** The walk over organizations begins behind this one. */
  after: string;
  leaseSeconds: number;
  now: Date;
}

/** An execution ends after so many claims: it would probably kill the next worker, too. */
export const mostClaims = 3;

/** Organizations that one claim looks at: more than it can serve. */
const maxLookedAt = 136;

const unfinished = table("unfinished_executions");
export const claimedColumns = sql.raw(
  [
    "id",
    "organization_id",
    "run_id",
    "position",
    "phase",
    "test_id",
    "test_version",
    "test_name",
    "api_id",
    "method",
    "path",
    "row_index",
    "trigger",
    "fencing_token",
    "claims",
    "reserves",
  ]
    .map((name) => `execution.${name}`)
    .join(", "),
);

/**
 * Claims waiting executions. Organizations with waiting work are found by jumping from one to the next in the index (so
 * a hundred thousand waiting cost as much as fifty); each gets the same share. With less capacity than organizations,
 * they take turns: first those without a turn so far, then by how long they have waited. With more organizations than
 * one claim looks at, the next one continues after those that this one has served, and around. Within an organization,
 * the oldest start first.
 */
export async function claimExecutions(
  db: QueryExecutorProvider,
  { max: most, mostOfOne, capacities: rooms, served, after, leaseSeconds, now }: ClaimOptions,
): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`${prepared("claim_executions")}
    with recursive ahead as (
      (select organization_id, id, 1 as place from ${unfinished}
        where state = 'queued' and is_released and location_id is null and organization_id > ${after}::uuid
        order by organization_id, id limit 1)
      union all
      select next.organization_id, next.id, ahead.place + 1 from ahead, lateral (
        select organization_id, id from ${unfinished}
        where state = 'queued' and is_released and location_id is null and organization_id > ahead.organization_id
        order by organization_id, id limit 1
      ) next
      where ahead.place < ${maxLookedAt}::int
    ), found as (
      select count(*)::int as ahead from ahead
    ), around as (
      (select organization_id, id, found.ahead + 1 as place from found, lateral (
        select organization_id, id from ${unfinished}
        where state = 'queued' and is_released and location_id is null and organization_id <= ${after}::uuid
        order by organization_id, id limit 1
      ) first
      where found.ahead < ${maxLookedAt}::int)
      union all
      select next.organization_id, next.id, around.place + 1 from around, lateral (
        select organization_id, id from ${unfinished}
        where state = 'queued' and is_released and location_id is null and organization_id > around.organization_id
          and organization_id <= ${after}::uuid
        order by organization_id, id limit 1
      ) next
      where around.place < ${maxLookedAt}::int
    ), waiting as (
      select organization_id, id from ahead union all select organization_id, id from around
    ), open as (
      select waiting.organization_id, waiting.id as first_id, coalesce(held.room, ${mostOfOne}::int) as room,
        row_number() over (order by served.place nulls first, waiting.id) as turn, count(*) over () as organizations
      from waiting
      left join unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::int[]) as held(organization_id, room)
        on held.organization_id = waiting.organization_id
      left join unnest(${[...served]}::uuid[]) with ordinality as served(organization_id, place)
        on served.organization_id = waiting.organization_id
      where coalesce(held.room, ${mostOfOne}::int) > 0
    ), shares as (
      select organization_id, first_id,
        least(room, ${most}::int / organizations
          + (case when turn <= ${most}::int % organizations then 1 else 0 end)) as share
      from open
    ), ${claimShares({ leaseSeconds, now })}`.execute(db);
  return rows.sort(byId);
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/** Claims each organization's `share`, the oldest from `first_id` on first, in a statement that has them as `shares`. */
const claimShares = ({ leaseSeconds, now }: Pick<ClaimOptions, "leaseSeconds" | "now">) => sql`
    next as materialized (
      select taken.id from shares, lateral (
        select id from ${unfinished}
        where organization_id = shares.organization_id and id >= shares.first_id and state = 'queued' and is_released
          and location_id is null
        order by id limit shares.share
        for update skip locked
      ) taken
    )
    update ${unfinished} execution
    set state = 'running', fencing_token = execution.fencing_token + 1, claims = execution.claims + 1,
      leased_until = now() + make_interval(secs => ${leaseSeconds}::float8),
      started_at = coalesce(execution.started_at, ${now}::timestamptz)
    from next where execution.id = next.id
    returning ${claimedColumns}`;

/** Claims waiting executions of organizations that are known to have some: at most their share each. */
export async function claimShared(
  db: QueryExecutorProvider,
  shares: ReadonlyMap<string, number>,
  lease: Pick<ClaimOptions, "leaseSeconds" | "now">,
): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`${prepared("claim_shared")}
    with shares as (
      select organization_id, share, '00000000-0000-0000-0000-000000000000'::uuid as first_id
      from unnest(${[...shares.keys()]}::uuid[], ${[...shares.values()]}::int[]) as given(organization_id, share)
    ), ${claimShares(lease)}`.execute(db);
  return rows.sort(byId);
}

export async function markRunsStarted(db: QueryExecutorProvider, runIds: string[], now: Date): Promise<void> {
  if (runIds.length === 0) return;
  await sql`
    with waiting as (
      select id from ${table("runs")}
      where id = any(${runIds}::uuid[]) and state = 'queued' order by id for update
    )
    update ${table("runs")} run set state = 'running', started_at = ${now}::timestamptz
    from waiting where run.id = waiting.id`.execute(db);
}

/** All transactions lock several of these rows in the same order. */
function lockHeld(holds: Hold[]) {
  return sql`
    select execution.id from ${unfinished} execution
    join unnest(${holds.map(({ id }) => id)}::uuid[], ${holds.map((hold) => hold.fencing_token)}::int[])
      as held(id, fencing_token) on held.id = execution.id and held.fencing_token = execution.fencing_token
    where execution.state = 'running' order by execution.id for update of execution`;
}

/** Renews leases. Returns the ids of those that still belong to this process. */
export async function extendLeases(
  db: Executor<ExecutionTables>,
  holds: Hold[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with held as (${lockHeld(holds)})
    update ${unfinished} execution set leased_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    from held where execution.id = held.id returning execution.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns the executions that a stopping worker has not ended, as if never claimed; the next worker starts them from
 * the beginning.
 */
export async function releaseExecutions(db: QueryExecutorProvider, holds: Hold[]): Promise<void> {
  if (holds.length === 0) return;
  await sql`
    with held as (${lockHeld(holds)})
    update ${unfinished} execution
    set state = 'queued', fencing_token = execution.fencing_token + 1, claims = execution.claims - 1,
      leased_until = null
    from held where execution.id = held.id`.execute(db);
}

/**
 * Lets the lease expire after a pause: an internal error is retried then.
 * @param options.counts whether this claim is one of the `mostClaims`
 */
export async function giveUpExecution(
  db: Executor<ExecutionTables>,
  hold: Hold,
  { pauseSeconds, counts }: { pauseSeconds: number; counts: boolean },
): Promise<void> {
  await sql`
    update ${unfinished} set leased_until = now() + make_interval(secs => ${pauseSeconds}::float8),
      claims = claims - ${counts ? 0 : 1}
    where id = ${hold.id}::uuid and fencing_token = ${hold.fencing_token} and state = 'running'`.execute(db);
}

/** Whether any execution has lost its worker. Reads all that wait or run: an index of leases would be written by every claim. */
export async function hasLost(db: Executor<ExecutionTables>): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from ${unfinished} where state = 'running' and leased_until < now()) as has`.execute(db);
  return rows[0]!.has;
}

/** Makes executions claimable that have lost their worker. */
export async function requeueLost(db: Executor<ExecutionTables>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with lost as (
      select id from ${unfinished}
      where state = 'running' and leased_until < now() and claims < ${mostClaims}
      order by id limit 1000 for update skip locked
    )
    update ${unfinished} execution set state = 'queued', leased_until = null
    from lost where execution.id = lost.id returning execution.id`.execute(db);
  return rows.length;
}

/** Claims executions that have lost their last worker, to end them. */
export async function claimExhausted(db: Executor<ExecutionTables>, leaseSeconds: number): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`
    with lost as (
      select id from ${unfinished}
      where state = 'running' and leased_until < now() and claims >= ${mostClaims}
      order by id limit 200 for update skip locked
    )
    update ${unfinished} execution set fencing_token = execution.fencing_token + 1,
      leased_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    from lost where execution.id = lost.id returning ${claimedColumns}`.execute(db);
  return rows;
}

/** For an embedded database, which one process owns: executions running at its start belong to a dead one. */
export async function endAllLeases(db: Executor<ExecutionTables>): Promise<void> {
  await sql`update ${unfinished} set leased_until = now() - interval '1 second' where state = 'running'`.execute(db);
}
