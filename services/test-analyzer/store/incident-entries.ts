import type { Executor } from "../../kit/database/database.ts";
import type { EntryRow } from "./incidents.ts";
import type { AnalyzerTables } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
type OneEntry = { organizationId: string; incidentId: string; entryId: string };

export async function insertEntryRow(db: Db, row: EntryRow): Promise<void> {
  await db.insertInto("incident_entries").values(row).execute();
}

export async function findEntry(
  db: Db,
  { organizationId, incidentId, entryId }: OneEntry,
): Promise<EntryRow | undefined> {
  return await db
    .selectFrom("incident_entries")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("incident_id", "=", incidentId)
    .where("id", "=", entryId)
    .executeTakeFirst();
}

export async function deleteEntry(db: Db, { organizationId, incidentId, entryId }: OneEntry): Promise<void> {
  await db
    .deleteFrom("incident_entries")
    .where("organization_id", "=", organizationId)
    .where("incident_id", "=", incidentId)
    .where("id", "=", entryId)
    .execute();
}

/** The run with which an incident opened. */
export async function findFirstRun(
  db: Db,
  { organizationId, incidentId }: Omit<OneEntry, "entryId">,
): Promise<{ runId: string; apiId: string } | null> {
  const row = await db
    .selectFrom("incident_entries")
    .select(["run_id", "api_id"])
    .where("organization_id", "=", organizationId)
    .where("incident_id", "=", incidentId)
    .where("kind", "=", "opened")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.run_id && row.api_id ? { runId: row.run_id, apiId: row.api_id } : null;
}
