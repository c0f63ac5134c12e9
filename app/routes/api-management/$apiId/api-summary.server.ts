import { required } from "~/backend/answers";
import type { Viewer } from "~/session/guards";
import type { ApiSummary } from "../../../../services/api-registry/contract/apis.ts";

/** Name and figures of an API; costs one row however large its document. */
export async function requireApiSummary({ backend }: Viewer, apiId: string): Promise<ApiSummary> {
  return required(await backend.apiRegistry.summarizeApi({ params: { apiId } }));
}
