import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import type { Call } from "../../kit/service/service.ts";

type Asking = Pick<Call<Endpoint>, "requestId">;

export type OrganizationNames = ReturnType<typeof createOrganizationNames>;

/** Names of organizations for the operator's lists, from security-service. */
export function createOrganizationNames(parts: {
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}) {
  const connect = async ({ requestId }: Asking) =>
    parts.securityService({ token: await parts.serviceToken(noOrganization), requestId });
  return {
    /** Names of the given ids, at most 200; empty while security-service is away. */
    async getNames(call: Asking, ids: string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map();
      const client = await connect(call);
      const result = await client.findOrganizations({ query: { ids: [...new Set(ids)].join(",") } });
      return new Map(result.ok ? result.value.items.map(({ id, name }) => [id, name]) : []);
    },

    /** @throws Problem service_unavailable while security-service can't look up the name */
    async findByWords(call: Asking, words: string): Promise<{ ids: string[]; hasMore: boolean }> {
      const client = await connect(call);
      const result = await client.findOrganizations({ query: { words } });
      if (!result.ok)
        throw new Problem("service_unavailable", "Who has that name can't be said now.", {
          service: "security-service",
        });
      return { ids: result.value.items.map(({ id }) => id), hasMore: result.value.hasMore };
    },
  };
}
