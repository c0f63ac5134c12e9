import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { isAway, problemResponse } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

interface Judged {
  apiId: string;
  method: string;
  path: string;
  /** The version that was current when its run started. */
  documentId: string | undefined;
}

/** The operation as documented at the time of the verdict; requested only where a schema was violated. */
export async function findDocumented(
  { backend }: Viewer,
  { apiId, method, path, documentId }: Judged,
  verifications: readonly Verification[] | undefined,
) {
  if (!verifications?.some(({ schemaErrors }) => schemaErrors?.length)) return undefined;
  const body = { documentId, operations: [{ method, path }] };
  const result = await backend.apiRegistry.findOperations({ params: { apiId }, body });
  if (result.ok) return result.value.items[0];
  // The document may be deleted; the stored schema is then displayed unchanged.
  if (isAway(result) || result.status === 404) return undefined;
  throw problemResponse(result.problem);
}
