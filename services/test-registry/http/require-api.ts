import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";

export type RequireApi = (caller: Identity, requestId: string, apiId: string) => Promise<void>;

/** Checks that an API is the caller's before tests of it are created. */
export function createRequireApi(apiRegistry: Connect<typeof apiRegistryContract>): RequireApi {
  return async (caller, requestId, apiId) => {
    const found = await apiRegistry({ token: caller.token, requestId }).summarizeApi({ params: { apiId } });
    if (found.ok) return;
    if (found.status === 404) throw notFound("API");
    throw new Problem(found.problem.code, found.problem.detail);
  };
}
