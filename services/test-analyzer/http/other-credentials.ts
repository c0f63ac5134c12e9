import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { OtherCredential } from "#libraries/suite/plan/known.ts";
import type { Client } from "../../kit/client/client.ts";

type Security = Client<typeof securityServiceContract>;

/**
 * For each scheme that has a credential for this host: another one of the same type that is stored for it. Probably it is
 * that of another account. None while the service is away: plans are made without it.
 */
export async function findOtherCredentials(
  { caller, service }: { caller: Security; service: Security },
  host: string,
): Promise<OtherCredential[]> {
  const [rules, stored] = await Promise.all([
    service.findHostRules({ body: { host } }),
    caller.listCredentials({ query: { domain: host, limit: 100 } }),
  ]);
  if (!rules.ok || !stored.ok) return [];
  const { authorizationConfigs: configs } = rules.value;
  const taken = new Set(configs.map(({ credentialId }) => credentialId));
  const { items } = stored.value;
  return configs.flatMap(({ schemeName, credentialId }): OtherCredential[] => {
    const own = items.find(({ id }) => id === credentialId);
    const other = own && items.find(({ id, type }) => type === own.type && !taken.has(id));
    return other ? [{ schemeName, credentialId: other.id, name: other.name }] : [];
  });
}
