import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { RunnableApi } from "#contracts/api-registry/runnable-apis.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { askTogether } from "./asking-together.ts";

export type RequireApi = (caller: { organizationId: string; requestId: string }, apiId: string) => Promise<RunnableApi>;

/** With the service's own permission: a user may be allowed to run tests without being allowed to read APIs. */
export function createRequireApi(parts: {
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
}): RequireApi {
  const requireApi = askTogether(async (requested: { organizationId: string; requestId: string; apiId: string }[]) => {
    const { requestId } = requested[0]!;
    const client = parts.apiRegistry({ token: await parts.serviceToken(noOrganization), requestId });
    const items = requested.map(({ organizationId, apiId }) => ({ organizationId, apiId }));
    return await client.listRunnableApis({ body: { items } });
  }, "API");
  return ({ organizationId, requestId }, apiId) => requireApi({ organizationId, requestId, apiId });
}
