import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { CredentialUse } from "#contracts/security-service/credentials.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import { domainsCovering } from "../domain/domain-binding.ts";
import { type ConfigUse, listConfigsOfCredentials } from "../store/authorization-configs.ts";
import type { SecurityDatabase } from "../store/tables.ts";

const maxNamed = 20;

export interface UseLookup {
  db: SecurityDatabase;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}

interface Placed {
  id: string;
  domain: string;
}
/** Looks up the uses of one of the requested credentials. */
type UseOf = (credential: Placed) => CredentialUse;
type Named = { id: string; name: string };

/**
 * Creates the lookup of credential uses: by tests from test-registry, by APIs from api-registry, and by security
 * schemes from the database.
 */
export function createFindUses({ db, apiRegistry, testRegistry, serviceToken }: UseLookup) {
  return async (caller: Identity, requestId: string, credentials: Placed[]): Promise<UseOf | undefined> => {
    const mayKnow = caller.scopes.includes("tests:read") && caller.scopes.includes("apis:read");
    if (!mayKnow || credentials.length === 0) return undefined;
    const requested = { token: await serviceToken(caller.organizationId), requestId };
    const credentialIds = credentials.map(({ id }) => id);
    const [tests, apis, configs] = await Promise.all([
      testRegistry(requested).findTestsOfCredentials({ body: { credentialIds } }),
      apiRegistry(requested).listBaseUrls(),
      listConfigsOfCredentials(db, caller.organizationId, credentialIds, maxNamed),
    ]);
    const byCredential = tests.ok
      ? new Map(tests.value.items.map(({ credentialId, ...found }) => [credentialId, found]))
      : undefined;
    const byDomain = apis.ok ? apisByDomain(apis.value.items) : undefined;
    return ({ id, domain }) => {
      const reached = byDomain?.get(domain) ?? [];
      return {
        tests: byCredential ? (byCredential.get(id) ?? { total: 0, items: [] }) : null,
        apis: byDomain ? { total: reached.length, items: reached.slice(0, maxNamed) } : null,
        authorizationConfigs: namedConfigs(configs.filter(({ credentialId }) => credentialId === id)),
      };
    };
  };
}

function namedConfigs(configs: ConfigUse[]): CredentialUse["authorizationConfigs"] {
  const items = configs.map(({ id, domain, schemeName }) => ({ id, domain, schemeName }));
  return { total: configs[0]?.total ?? 0, items };
}

/** APIs by each credential domain that covers one of their base URLs. */
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
