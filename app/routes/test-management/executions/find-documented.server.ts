import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { isAway, problemResponse } from "~/backend/answers";
import type { Viewer } from "~/session/guards";

interface Judged {
  apiId: string;
  method: string;
  path: string;
  /** That was current when its run started. */
  documentId: string | undefined;
}

/** The operation as it was documented when it was judged; asked for only where a schema was not met. */
export async function findDocumented(
  { backend }: Viewer,
  { apiId, method, path, documentId }: Judged,
  verifications: readonly Verification[] | undefined,
) {
  if (!verifications?.some(({ schemaErrors }) => schemaErrors?.length)) return undefined;
  const body = { documentId, operations: [{ method, path }] };
  const answer = await backend.apiRegistry.findOperations({ params: { apiId }, body });
  if (answer.ok) return answer.value.items[0];
  // The document may be gone, then the schema that was kept is shown as it is.
  if (isAway(answer) || answer.status === 404) return undefined;
  throw problemResponse(answer.problem);
}
