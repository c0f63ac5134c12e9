import { type Kysely, sql, type Transaction } from "kysely";
import { type ExecutionTables, table } from "./tables.ts";

const locations = table("locations");
const agents = table("agents");
const unfinished = table("unfinished_executions");
type Db = Kysely<ExecutionTables>;

const maxLocations = 100;
const maxNamed = 50;

export interface UnheardLocation {
  organizationId: string;
  locationId: string;
  name: string;
  /** The last call; before the first one, when the location was created. */
  since: Date;
  hasCalled: boolean;
  /** Of what waits there; empty if nothing has waited long enough. */
  apiIds: string[];
  testCircleIds: string[];
}

/**
 * Locations without an agent that called since then, of which that is not reported.
 * @param except ids of those that were looked at a moment ago, unless something waits there
 */
export async function listUnheard(db: Db, since: Date, except: readonly string[]): Promise<UnheardLocation[]> {
  const waits = sql`execution.organization_id = location.organization_id and execution.location_id = location.id
    and execution.state = 'queued' and execution.is_released
    and coalesce(execution.waiting_since, execution.queued_at) < ${since}::timestamptz`;
  const { rows } = await sql<UnheardLocation>`
    select location.organization_id as "organizationId", location.id as "locationId", location.name,
      coalesce(heard.last, location.created_at) as since, heard.last is not null as "hasCalled",
      array(select distinct execution.api_id from ${unfinished} execution where ${waits} limit ${maxNamed}) as "apiIds",
      array(
        select distinct run.test_circle_id from ${unfinished} execution join ${table("runs")} run on run.id = execution.run_id
        where ${waits} and run.test_circle_id is not null limit ${maxNamed}
      ) as "testCircleIds"
    from ${locations} location, lateral (
      select max(last_seen_at) as last, max(last_seen_at) filter (where revoked_at is null) as last_in_use
      from ${agents} agent
      where agent.organization_id = location.organization_id and agent.location_id = location.id
    ) heard
    where location.reported_silent_at is null and location.created_at < ${since}::timestamptz
      and coalesce(heard.last_in_use < ${since}::timestamptz, true)
      and (location.id <> all(${[...except]}::uuid[]) or exists (select from ${unfinished} execution where ${waits}))
    order by location.organization_id, location.id limit ${maxLocations}`.execute(db);
  return rows;
}

export interface HeardLocation {
  organizationId: string;
  locationId: string;
  name: string;
}

/** Locations that are reported as silent, and of which an agent has called since then. */
export async function listHeardAgain(db: Db, since: Date): Promise<HeardLocation[]> {
  const { rows } = await sql<HeardLocation>`
    select location.organization_id as "organizationId", location.id as "locationId", location.name
    from ${locations} location
    where location.reported_silent_at is not null and exists (
      select from ${agents} agent
      where agent.organization_id = location.organization_id and agent.location_id = location.id
        and agent.revoked_at is null and agent.last_seen_at >= ${since}::timestamptz
        and agent.last_seen_at > location.reported_silent_at
    )
    order by location.organization_id, location.id limit ${maxLocations}`.execute(db);
  return rows;
}

/** @returns false if another process has reported it, or it was deleted */
export async function markReported(
  transaction: Transaction<ExecutionTables>,
  { organizationId, locationId }: Pick<HeardLocation, "organizationId" | "locationId">,
  reportedAt: Date | null,
): Promise<boolean> {
  const { rows } = await sql`
    update ${locations} set reported_silent_at = ${reportedAt}::timestamptz
    where organization_id = ${organizationId}::uuid and id = ${locationId}::uuid
      and (reported_silent_at is null) = ${reportedAt !== null}::boolean
    returning id`.execute(transaction);
  return rows.length > 0;
}
