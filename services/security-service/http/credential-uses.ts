import type { apiRegistryContract } from "../../api-registry/contract/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import type { CredentialUse } from "../contract/credentials.ts";
import { domainsCovering } from "../domain/domain-binding.ts";

const mostNamed = 20;

export interface UseLookup {
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}

interface Placed {
  id: string;
  domain: string;
}
/** Answers what is known of one of the credentials asked for. */
type UseOf = (credential: Placed) => CredentialUse;
type Named = { id: string; name: string };

/** Makes what tells who uses credentials: test-registry knows their names in tests, api-registry what is at their domains. */
export function createFindUses({ apiRegistry, testRegistry, serviceToken }: UseLookup) {
  return async (caller: Identity, requestId: string, credentials: Placed[]): Promise<UseOf | undefined> => {
    const mayKnow = caller.scopes.includes("tests:read") && caller.scopes.includes("apis:read");
    if (!mayKnow || credentials.length === 0) return undefined;
    const asked = { token: await serviceToken(caller.organizationId), requestId };
    const [tests, apis] = await Promise.all([
      testRegistry(asked).findTestsOfCredentials({ body: { credentialIds: credentials.map(({ id }) => id) } }),
      apiRegistry(asked).listBaseUrls(),
    ]);
    const byCredential = tests.ok
      ? new Map(tests.value.items.map(({ credentialId, ...found }) => [credentialId, found]))
      : undefined;
    const byDomain = apis.ok ? apisByDomain(apis.value.items) : undefined;
    return ({ id, domain }) => {
      const reached = byDomain?.get(domain) ?? [];
      return {
        tests: byCredential ? (byCredential.get(id) ?? { total: 0, items: [] }) : null,
        apis: byDomain ? { total: reached.length, items: reached.slice(0, mostNamed) } : null,
      };
    };
  };
}

/** APIs by every domain of a credential that would be sent to one of their base URLs. */
function apisByDomain(apis: { apiId: string; name: string; baseUrls: string[] }[]): Map<string, Named[]> {
  const found = new Map<string, Named[]>();
  for (const { apiId, name, baseUrls } of apis) {
    const hosts = baseUrls.filter((url) => URL.canParse(url)).map((url) => new URL(url).host);
    for (const domain of new Set(hosts.flatMap(domainsCovering))) {
      const reached = found.get(domain) ?? [];
      reached.push({ id: apiId, name });
      found.set(domain, reached);
    }
  }
  return found;
}
