import type { HostRules } from "#contracts/security-service/authorization-configs.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { FindHostRules } from "#libraries/running/lookups.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

/** As long as opened credentials: the tests of one run share one call, and a change takes effect at once. */
const cacheMilliseconds = 1_000;

/** Returns a function that finds the rules of a request's host. */
export function createHostRuleLookup(
  securityService: Connect<typeof securityServiceContract>,
  serviceToken: IssueServiceToken,
): FindHostRules {
  const stored = new Cache<Promise<HostRules>>({ maxSize: 200, maxAgeMilliseconds: cacheMilliseconds });
  async function find(organizationId: string, host: string): Promise<HostRules> {
    const client = securityService({ token: await serviceToken(organizationId) });
    return requireValue(await client.findHostRules({ body: { host } }), "The rules of a host could not be read");
  }
  return (organizationId, host) => {
    const key = JSON.stringify([organizationId, host]);
    const known = stored.get(key);
    if (known) return known;
    const found = find(organizationId, host);
    stored.set(key, found);
    found.catch(() => stored.delete(key));
    return found;
  };
}
