import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { OpenedCredential } from "#libraries/running/authorization.ts";
import type { OpenCredentials, OpenedCredentials } from "#libraries/running/lookups.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

import {
  type EnvironmentCredential,
  type EnvironmentSecrets,
  noEnvironmentSecrets,
  readEnvironmentSecret,
} from "../domain/environment-secrets.ts";

/** Long enough for the tests of one run to share one call, short enough for a withdrawn credential. */
const cachedForRuns = 1_000;

const nothing: OpenedCredentials = { items: [], refused: [] };

export function createCredentialLookup(
  securityService: Connect<typeof securityServiceContract>,
  serviceToken: IssueServiceToken,
  {
    cacheMilliseconds = cachedForRuns,
    environmentSecrets = noEnvironmentSecrets,
    leavesVault = false,
    readItem = (item) => readEnvironmentSecret(item, environmentSecrets),
  }: {
    cacheMilliseconds?: number;
    environmentSecrets?: EnvironmentSecrets | undefined;
    /** Whether another process reads Vault, too. */
    leavesVault?: boolean;
    /** For secrets that another process reads in its environment. */
    readItem?: (item: EnvironmentCredential) => OpenedCredential;
  } = {},
): OpenCredentials {
  const stored = new Cache<Promise<OpenedCredentials>>({ maxSize: 200, maxAgeMilliseconds: cacheMilliseconds });
  async function open(organizationId: string, host: string, credentialIds?: string[]): Promise<OpenedCredentials> {
    const client = securityService({ token: await serviceToken(organizationId) });
    const body = { host, leavesVault, ...(credentialIds ? { credentialIds } : {}) };
    const result = await client.openCredentials({ body });
    const { items, refused } = requireValue(result, "Credentials could not be opened");
    return { items: items.map(readItem), refused };
  }
  return async (organizationId, host, authorization) => {
    if (authorization.kind === "none") return nothing;
    const ids =
      authorization.kind === "credentials" ? authorization.bindings.map(({ credentialId }) => credentialId) : undefined;
    const key = JSON.stringify([organizationId, host, ids]);
    const known = stored.get(key);
    if (known) return await known;
    const opened = open(organizationId, host, ids);
    stored.set(key, opened);
    opened.catch(() => stored.delete(key));
    return await opened;
  };
}
