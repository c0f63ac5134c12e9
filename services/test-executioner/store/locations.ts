import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Location } from "#contracts/test-executioner/locations.ts";
import { containsPattern, pageFrom, readCursor } from "../../kit/database/keyset.ts";
import { isActiveSince } from "../domain/agent-state.ts";
import { type ExecutionDatabase, type ExecutionTables, table } from "./tables.ts";

export type LocationRow = Selectable<ExecutionTables["locations"]>;

/** An agent that was seen since then is active. */
interface At {
  now: Date;
}

interface Figures {
  active: number;
  silent: number;
  waiting: number;
  running: number;
  last_seen_at: Date | null;
}

function toLocation(row: LocationRow & Figures): Location {
  const { id, name, description, version, waiting, running } = row;
  return {
    ...{ id, name, description, version, waiting, running },
    agents: { active: row.active, silent: row.silent },
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const ofLocation = sql`organization_id = location.organization_id and location_id = location.id`;

const withFigures = ({ now }: At) => sql`
  select location.*, agent.active, agent.silent, agent.last_seen_at, work.waiting, work.running
  from ${table("locations")} location, lateral (
    select count(*) filter (where last_seen_at >= ${isActiveSince(now)}::timestamptz)::int as active,
      count(*) filter (where last_seen_at < ${isActiveSince(now)}::timestamptz or last_seen_at is null)::int as silent,
      max(last_seen_at) as last_seen_at
    from ${table("agents")} where ${ofLocation} and revoked_at is null
  ) agent, lateral (
    select count(*) filter (where state = 'queued' and is_released)::int as waiting,
      count(*) filter (where state = 'running')::int as running
    from ${table("unfinished_executions")} where ${ofLocation}
  ) work`;

/** By name. */
export async function listLocations(
  db: ExecutionDatabase,
  organizationId: string,
  page: { query?: string | undefined; cursor?: string | undefined; limit: number },
  at: At,
): Promise<{ items: Location[]; nextCursor: string | null }> {
  const after = page.cursor === undefined ? undefined : String(readCursor(page.cursor, ["text"])[0]);
  const { rows } = await sql<LocationRow & Figures>`
    ${withFigures(at)}
    where location.organization_id = ${organizationId}::uuid
      ${page.query ? sql`and location.name ilike ${containsPattern(page.query)}` : sql``}
      ${after === undefined ? sql`` : sql`and lower(location.name) > ${after}`}
    order by lower(location.name) limit ${page.limit + 1}`.execute(db);
  return pageFrom(rows, page.limit, ({ name }) => [name.toLowerCase()], toLocation);
}

export async function findLocation(
  db: Kysely<ExecutionTables>,
  organizationId: string,
  id: string,
  at: At,
): Promise<Location | undefined> {
  const { rows } = await sql<LocationRow & Figures>`
    ${withFigures(at)}
    where location.organization_id = ${organizationId}::uuid and location.id = ${id}::uuid`.execute(db);
  return rows[0] && toLocation(rows[0]);
}

/** Which of these are no locations of the organization. */
export async function listUnknownLocations(
  db: Kysely<ExecutionTables>,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("locations")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

export async function insertLocation(
  transaction: Transaction<ExecutionTables>,
  row: Insertable<ExecutionTables["locations"]>,
): Promise<void> {
  await transaction.insertInto("locations").values(row).execute();
}

/** @returns undefined if the location is missing, or has none of these versions */
export async function updateLocation(
  transaction: Transaction<ExecutionTables>,
  {
    organization_id,
    id,
    name,
    description,
    updated_at,
  }: Omit<LocationRow, "version" | "created_at" | "reported_silent_at">,
  versions: number[] | undefined,
): Promise<LocationRow | undefined> {
  let update = transaction
    .updateTable("locations")
    .set(({ eb }) => ({ name, description, updated_at, version: eb("version", "+", 1) }))
    .where("organization_id", "=", organization_id)
    .where("id", "=", id);
  if (versions) update = update.where("version", "in", versions.length > 0 ? versions : [-1]);
  return await update.returningAll().executeTakeFirst();
}

/** With its agents and codes. */
export async function removeLocation(
  transaction: Transaction<ExecutionTables>,
  organizationId: string,
  id: string,
): Promise<LocationRow | undefined> {
  return await transaction
    .deleteFrom("locations")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}
