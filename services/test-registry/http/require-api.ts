import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

export type RequireApi = (caller: { organizationId: string }, requestId: string, apiId: string) => Promise<void>;

/**
 * Checks that an API is the organization's. With the service's own permission: a user may be allowed to read tests
 * without being allowed to read APIs.
 */
export function createRequireApi(parts: {
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
}): RequireApi {
  return async ({ organizationId }, requestId, apiId) => {
    const client = parts.apiRegistry({ token: await parts.serviceToken(organizationId), requestId });
    const found = await client.summarizeApi({ params: { apiId } });
    if (found.ok) return;
    if (found.status === 404) throw notFound("API");
    throw new Problem(found.problem.code, found.problem.detail);
  };
}
