import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Agent } from "#contracts/test-executioner/agents.ts";
import { getAgentState } from "../domain/agent-state.ts";
import { notifyWork } from "./changes.ts";
import { type ExecutionTables, table } from "./tables.ts";

export type AgentRow = Selectable<ExecutionTables["agents"]>;
type Db = Kysely<ExecutionTables>;

const maxRevoked = 20;

type Shown = AgentRow & { running: number };

function toAgent(row: Shown, now: Date): Agent {
  const { id, name, version, running, concurrency, blocked, refused } = row;
  return {
    ...{ id, locationId: row.location_id, name },
    state: getAgentState({ lastSeenAt: row.last_seen_at, revokedAt: row.revoked_at }, now),
    ...{ version, running, concurrency, blocked, refused, waitingResults: row.waiting_results },
    registeredAt: row.registered_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

const shown = sql`
  select agent.*, (
    select count(*)::int from ${table("unfinished_executions")} execution
    where execution.organization_id = agent.organization_id and execution.location_id = agent.location_id
      and execution.agent_id = agent.id and execution.state = 'running'
  ) as running
  from ${table("agents")} agent`;

/** By name; the last ones that were revoked after the others. */
export async function listAgents(db: Db, organizationId: string, locationId: string, now: Date): Promise<Agent[]> {
  const { rows } = await sql<Shown>`
    ${shown} where agent.organization_id = ${organizationId}::uuid and agent.location_id = ${locationId}::uuid
      and agent.id in (
        select id from ${table("agents")}
        where organization_id = ${organizationId}::uuid and location_id = ${locationId}::uuid
        order by revoked_at desc nulls first limit ${maxAgents + maxRevoked})
    order by agent.revoked_at desc nulls first, lower(agent.name), agent.id`.execute(db);
  const agents = rows.map((row) => toAgent(row, now));
  const inUse = agents.filter(({ state }) => state !== "revoked");
  return [...inUse, ...agents.filter(({ state }) => state === "revoked").slice(0, maxRevoked)];
}

export async function findAgent(db: Db, organizationId: string, id: string, now: Date): Promise<Agent | undefined> {
  const { rows } = await sql<Shown>`
    ${shown} where agent.organization_id = ${organizationId}::uuid and agent.id = ${id}::uuid`.execute(db);
  return rows[0] && toAgent(rows[0], now);
}

/** Of whichever organization: the caller is not known before its key is. */
export async function findAgentByKey(db: Db, id: string): Promise<AgentRow | undefined> {
  return await db
    .selectFrom("agents")
    .selectAll()
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** @returns false if the call was accepted before */
export async function spendCall(
  db: Db,
  agent: Pick<AgentRow, "organization_id" | "id">,
  call: { id: string; expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with old as (
      delete from ${table("agent_calls")} where organization_id = ${agent.organization_id}::uuid
        and agent_id = ${agent.id}::uuid and expires_at < ${now}::timestamptz
    )
    insert into ${table("agent_calls")} (organization_id, agent_id, call_id, expires_at)
    values (${agent.organization_id}::uuid, ${agent.id}::uuid, ${call.id}, ${call.expiresAt}::timestamptz)
    on conflict do nothing returning call_id`.execute(db);
  return rows.length > 0;
}

/** Of one location, in use. */
export const maxAgents = 200;

/** @returns the location, or undefined if the code is unknown, used up or expired */
export async function spendCode(
  transaction: Transaction<ExecutionTables>,
  codeHash: string,
  now: Date,
): Promise<{ organizationId: string; locationId: string; locationName: string } | undefined> {
  const code = await transaction
    .deleteFrom("agent_codes")
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", now)
    .returning(["organization_id", "location_id"])
    .executeTakeFirst();
  if (!code) return undefined;
  const { name } = await transaction
    .selectFrom("locations")
    .select("name")
    .where("organization_id", "=", code.organization_id)
    .where("id", "=", code.location_id)
    .executeTakeFirstOrThrow();
  return { organizationId: code.organization_id, locationId: code.location_id, locationName: name };
}

export async function insertCode(
  transaction: Transaction<ExecutionTables>,
  row: Selectable<ExecutionTables["agent_codes"]>,
): Promise<void> {
  await transaction
    .deleteFrom("agent_codes")
    .where("organization_id", "=", row.organization_id)
    .where("expires_at", "<", row.created_at)
    .execute();
  await transaction.insertInto("agent_codes").values(row).execute();
}

export async function insertAgent(
  transaction: Transaction<ExecutionTables>,
  row: Insertable<ExecutionTables["agents"]>,
): Promise<void> {
  await transaction.insertInto("agents").values(row).execute();
}

export async function countAgents(db: Db, organizationId: string, locationId: string): Promise<number> {
  const { count } = await db
    .selectFrom("agents")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("location_id", "=", locationId)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What revoked agents held starts again with others. */
async function returnHeld(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  locationId: string,
  agentIds: string[],
): Promise<void> {
  await sql`
    with held as (
      select id from ${table("unfinished_executions")}
      where organization_id = ${organizationId}::uuid and location_id = ${locationId}::uuid
        and agent_id = any(${agentIds}::uuid[])
      order by id for update
    )
    update ${table("unfinished_executions")} execution
    set claims = execution.claims - (execution.state = 'running')::int, state = 'queued',
      fencing_token = execution.fencing_token + 1, leased_until = null, agent_id = null
    from held where execution.id = held.id`.execute(transaction);
  await notifyWork(transaction, [{ organization_id: organizationId, location_id: locationId }]);
}

/** @returns undefined if there is none, or it was revoked before */
export async function revokeAgent(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  id: string,
  now: Date,
): Promise<AgentRow | undefined> {
  const row = await transaction
    .updateTable("agents")
    .set({ revoked_at: now })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row) await returnHeld(transaction, organizationId, row.location_id, [id]);
  return row;
}

/** All agents of a location, before it is deleted. */
export async function revokeAll(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  locationId: string,
): Promise<void> {
  const agents = await transaction
    .deleteFrom("agents")
    .where("organization_id", "=", organizationId)
    .where("location_id", "=", locationId)
    .returning("id")
    .execute();
  await returnHeld(
    transaction,
    organizationId,
    locationId,
    agents.map(({ id }) => id),
  );
}

/** What the agent says of itself. */
export async function noteSeen(
  db: Db,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  seen: { version: string; concurrency: number; blocked: number; waitingResults: number; now: Date },
): Promise<void> {
  await db
    .updateTable("agents")
    .set({
      version: seen.version,
      concurrency: seen.concurrency,
      blocked: seen.blocked,
      waiting_results: seen.waitingResults,
      last_seen_at: seen.now,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", agentId)
    .execute();
}

export async function countRefused(
  db: Db,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  refused: number,
): Promise<void> {
  await db
    .updateTable("agents")
    .set(({ eb }) => ({ refused: eb("refused", "+", refused) }))
    .where("organization_id", "=", organizationId)
    .where("id", "=", agentId)
    .execute();
}
