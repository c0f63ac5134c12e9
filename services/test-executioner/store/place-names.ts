import { type Kysely, sql } from "kysely";
import { type ExecutionTables, table } from "./tables.ts";

/** Names of where executions were sent from, and of the agents that ran them, as they are now. */
export interface PlaceNames {
  location?: string;
  agent?: string;
}

type Placed = { location_id: string | null; agent_id: string | null };

/** @returns reads the names for one of these rows; deleted locations have none */
export async function findPlaceNames(
  db: Kysely<ExecutionTables>,
  organizationId: string,
  rows: readonly Placed[],
): Promise<(row: Placed) => PlaceNames> {
  const ids = [...new Set(rows.flatMap(({ location_id, agent_id }) => [location_id, agent_id]))].filter(
    (id) => id !== null,
  );
  if (ids.length === 0) return () => ({});
  const { rows: found } = await sql<{ id: string; name: string }>`
    select id, name from ${table("locations")}
    where organization_id = ${organizationId}::uuid and id = any(${ids}::uuid[])
    union all
    select id, name from ${table("agents")}
    where organization_id = ${organizationId}::uuid and id = any(${ids}::uuid[])`.execute(db);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return ({ location_id, agent_id }) => {
    const location = names.get(location_id ?? "");
    const agent = names.get(agent_id ?? "");
    return { ...(location ? { location } : {}), ...(agent ? { agent } : {}) };
  };
}
