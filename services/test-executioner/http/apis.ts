import type { apiRegistryContract } from "../../api-registry/contract/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { requireValue } from "./loading-tests.ts";
import type { RunnableApi } from "./surroundings.ts";

export type RequireApi = (caller: { organizationId: string; requestId: string }, apiId: string) => Promise<RunnableApi>;

/** By the service's own right: whoever may run a test may do so without being allowed to read APIs. */
export function createRequireApi(parts: {
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
}): RequireApi {
  return async ({ organizationId, requestId }, apiId) => {
    const client = parts.apiRegistry({ token: await parts.serviceToken(organizationId), requestId });
    const params = { apiId };
    const [api, environments] = await Promise.all([
      client.summarizeApi({ params }),
      client.listEnvironments({ params }),
    ]);
    return { api: requireValue(api), environments: requireValue(environments).items };
  };
}

/** Asks for each API once: for starts that are prepared together. */
export function rememberApis(requireApi: RequireApi): RequireApi {
  const asked = new Map<string, Promise<RunnableApi>>();
  return (caller, apiId) => {
    const key = `${caller.organizationId} ${apiId}`;
    const known = asked.get(key) ?? requireApi(caller, apiId);
    asked.set(key, known);
    return known;
  };
}
