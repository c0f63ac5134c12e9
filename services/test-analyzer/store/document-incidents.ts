import type { IncidentCause } from "#contracts/test-analyzer/incidents.ts";
import type { AnalyzerTransaction } from "./tables.ts";

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
