import { sql } from "kysely";
import type { Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import { json } from "../../kit/database/database.ts";
import { type AnalyzerTransaction, table } from "./tables.ts";

type DocumentCause = IncidentCause & { kind: "document" };
export type DocumentProblem = DocumentCause["problem"];
export const documentProblems = ["changed", "unavailable"] as const satisfies readonly DocumentProblem[];

/** Equal for all incidents with one cause. */
export const getFingerprint = (apiId: string, problem: DocumentProblem) => `document ${apiId} ${problem}`;

/** Unresolved incidents of an API's watched document. */
export async function listOpenDocumentIncidents(
  transaction: AnalyzerTransaction,
  organizationId: string,
  apiId: string,
): Promise<{ id: string; fingerprint: string; reason: string | null }[]> {
  return await transaction
    .selectFrom("incidents")
    .select(["id", "fingerprint", "reason"])
    .where("organization_id", "=", organizationId)
    .where(
      "fingerprint",
      "in",
      documentProblems.map((problem) => getFingerprint(apiId, problem)),
    )
    .where("resolved_at", "is", null)
    .execute();
}

export interface NewDocumentIncident {
  id: string;
  organizationId: string;
  cause: DocumentCause;
  title: string;
  reason: string;
  severity: Severity;
  since: Date;
  openedAt: Date;
  mutedUntil: Date | null;
}

export async function insertDocumentIncident(
  transaction: AnalyzerTransaction,
  incident: NewDocumentIncident,
): Promise<void> {
  const { cause } = incident;
  await sql`
    insert into ${table("incidents")}
      (id, organization_id, fingerprint, cause, title, is_unsteady, severity, since, opened_at, muted_until, reason, api_id)
    values (${incident.id}, ${incident.organizationId}, ${getFingerprint(cause.apiId, cause.problem)}, ${json(cause)},
      ${incident.title}, false, ${incident.severity}, ${incident.since}, ${incident.openedAt}, ${incident.mutedUntil},
      ${incident.reason}, ${cause.apiId})`.execute(transaction);
}

export async function updateReason(transaction: AnalyzerTransaction, id: string, reason: string): Promise<void> {
  await transaction.updateTable("incidents").set({ reason }).where("id", "=", id).execute();
}
