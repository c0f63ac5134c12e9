import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { EntryKind } from "../contract/incidents.ts";
import { type EntryRow, type IncidentRow, readIncident } from "./incidents.ts";
import type { AnalyzerTransaction } from "./tables.ts";

export interface NewEntry {
  organizationId: string;
  incidentId: string;
  at: Date;
  kind: EntryKind;
  text: string;
  by?: { id: string; name: string };
  runId?: string;
}

/** Entries in the order given. */
export async function insertEntries(transaction: AnalyzerTransaction, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(
    (entry): EntryRow => ({
      id: uuidv7(),
      organization_id: entry.organizationId,
      incident_id: entry.incidentId,
      at: entry.at,
      kind: entry.kind,
      text: entry.text,
      actor_id: entry.by?.id ?? null,
      actor_name: entry.by?.name ?? null,
      run_id: entry.runId ?? null,
    }),
  );
  await transaction.insertInto("incident_entries").values(rows).execute();
}

/**
 * Whatever decides on incidents of an organization takes turns until its transaction ends, so that of two that hear of
 * one cause the second finds what the first has opened.
 */
export async function takeTurn(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 7206))`.execute(transaction);
}

/** @returns the row as it is then; undefined when it is resolved or not there */
export async function updateIncident(
  transaction: AnalyzerTransaction,
  { organizationId, incidentId }: { organizationId: string; incidentId: string },
  changes: Partial<Omit<IncidentRow, "cause">>,
): Promise<IncidentRow | undefined> {
  const row = await transaction
    .updateTable("incidents")
    .set(changes)
    .where("organization_id", "=", organizationId)
    .where("id", "=", incidentId)
    .where("resolved_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  return row && readIncident(row);
}
