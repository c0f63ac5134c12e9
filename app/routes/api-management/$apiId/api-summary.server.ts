import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

/** Name and figures of an API; reads one row however large its document. */
export async function requireApiSummary({ backend }: Viewer, apiId: string): Promise<ApiSummary> {
  return required(await backend.apiRegistry.summarizeApi({ params: { apiId } }));
}
