import { type Kysely, sql } from "kysely";
import { type ClaimedExecution, claimedColumns, type Hold, mostClaims } from "./claims.ts";
import { type ExecutionTables, table } from "./tables.ts";

const unfinished = table("unfinished_executions");
const agents = table("agents");
type Db = Kysely<ExecutionTables>;

/** Whose claims these are: known by the agent's key, never by what it says. */
export interface AgentAt {
  organizationId: string;
  locationId: string;
  agentId: string;
}

/**
 * Claims what waits at an agent's location, the oldest first. What the agent was handed and does not name as held, since it
 * was killed or the response was lost, is handed to it again. Nothing is claimed for one that was revoked, also while its
 * call was waiting.
 */
export async function claimForAgent(
  db: Db,
  { organizationId, locationId, agentId }: AgentAt,
  { max, held, leaseSeconds, now }: { max: number; held: readonly Hold[]; leaseSeconds: number; now: Date },
): Promise<ClaimedExecution[]> {
  const { rows } = await sql<ClaimedExecution>`
    with agent as materialized (
      select id from ${agents} where id = ${agentId}::uuid and revoked_at is null for share
    ), next as materialized (
      select id from ${unfinished}
      where exists (select from agent) and organization_id = ${organizationId}::uuid and location_id = ${locationId}::uuid
        and id <> all(${held.map(({ id }) => id)}::uuid[])
        and (state = 'queued' and is_released
          or state = 'running' and agent_id = ${agentId}::uuid and claims < ${mostClaims})
      order by id limit ${max} for update skip locked
    )
    update ${unfinished} execution
    set state = 'running', fencing_token = execution.fencing_token + 1, claims = execution.claims + 1,
      agent_id = ${agentId}::uuid, leased_until = now() + make_interval(secs => ${leaseSeconds}::float8),
      started_at = coalesce(execution.started_at, ${now}::timestamptz)
    from next where execution.id = next.id
    returning ${claimedColumns}`.execute(db);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** An execution that an agent holds, as its result needs it. */
export type AgentsExecution = ClaimedExecution & { started_at: Date };

/**
 * Those that the agent holds by these claims, with their leases renewed. A claim whose lease has ended is the agent's
 * again as long as no other took the execution up: its result is late and not lost.
 */
export async function holdForAgent(
  db: Db,
  { organizationId, locationId, agentId }: AgentAt,
  holds: readonly Hold[],
  leaseSeconds: number,
): Promise<AgentsExecution[]> {
  if (holds.length === 0) return [];
  const { rows } = await sql<AgentsExecution>`
    with held as (
      select execution.id from ${unfinished} execution
      join unnest(${holds.map(({ id }) => id)}::uuid[], ${holds.map((hold) => hold.fencing_token)}::int[])
        as given(id, fencing_token)
        on given.id = execution.id and given.fencing_token = execution.fencing_token
      where execution.organization_id = ${organizationId}::uuid and execution.location_id = ${locationId}::uuid
        and execution.agent_id = ${agentId}::uuid
      order by execution.id for update of execution
    )
    update ${unfinished} execution
    set state = 'running', leased_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    from held where execution.id = held.id
    returning ${claimedColumns}, execution.started_at`.execute(db);
  return rows;
}

/** Which of these executions of the organization have ended. */
export async function listEnded(db: Db, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("executions")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
