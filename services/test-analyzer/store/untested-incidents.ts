import { sql } from "kysely";
import type { Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import { json } from "../../kit/database/database.ts";
import { type AnalyzerTransaction, table } from "./tables.ts";

/** Of a document or a location. */
export interface UntestedIncident {
  id: string;
  organizationId: string;
  /** Equal for all incidents with one cause. */
  fingerprint: string;
  cause: IncidentCause;
  title: string;
  reason: string;
  severity: Severity;
  since: Date;
  openedAt: Date;
  mutedUntil: Date | null;
  apiId: string;
}

/** Stores an incident that no test has failed for. */
export async function insertUntestedIncident(
  transaction: AnalyzerTransaction,
  incident: UntestedIncident,
): Promise<void> {
  await sql`
    insert into ${table("incidents")}
      (id, organization_id, fingerprint, cause, title, is_unsteady, severity, since, opened_at, muted_until, reason, api_id)
    values (${incident.id}, ${incident.organizationId}, ${incident.fingerprint}, ${json(incident.cause)},
      ${incident.title}, false, ${incident.severity}, ${incident.since}, ${incident.openedAt}, ${incident.mutedUntil},
      ${incident.reason}, ${incident.apiId})`.execute(transaction);
}

export async function updateReason(transaction: AnalyzerTransaction, id: string, reason: string): Promise<void> {
  await transaction.updateTable("incidents").set({ reason }).where("id", "=", id).execute();
}

/** The unresolved incident of a cause. */
export async function findOpenIncident(
  transaction: AnalyzerTransaction,
  organizationId: string,
  fingerprint: string,
): Promise<{ id: string } | undefined> {
  return await transaction
    .selectFrom("incidents")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("fingerprint", "=", fingerprint)
    .where("resolved_at", "is", null)
    .executeTakeFirst();
}
