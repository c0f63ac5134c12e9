import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Authorization } from "#contracts/test-registry/requests.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";

export interface CredentialDemand {
  requested: Authorization;
  /** Credentials the test named before. */
  stored?: Authorization;
  /** Path prefix of its fields if they are not at the top level, e.g. `items[3].`. */
  pathPrefix?: string;
}

export type RequireCredentials = (
  call: { caller: Identity; requestId: string },
  ...demands: CredentialDemand[]
) => Promise<void>;

const getBindings = (authorization?: Authorization) =>
  authorization?.kind === "credentials" ? authorization.bindings : [];

/** Concurrent calls: a hundred tests may name as many credentials. */
const atOnce = 10;

/**
 * Checks once per credential that those named by tests are the caller's. One that a test named before may have been
 * deleted since: the test's page shows that, and other changes of the test remain possible.
 */
export function createRequireCredentials(securityService: Connect<typeof securityServiceContract>): RequireCredentials {
  return async ({ caller, requestId }, ...demands) => {
    const { getCredential } = securityService({ token: caller.token, requestId });
    const isThere = async (credentialId: string) => {
      const found = await getCredential({ params: { credentialId } });
      if (!found.ok && found.status !== 404) throw new Problem(found.problem.code, found.problem.detail);
      return found.ok;
    };
    const named = demands.flatMap(({ requested, stored, pathPrefix = "" }) => {
      const known = new Set(getBindings(stored).map(({ credentialId }) => credentialId));
      return getBindings(requested)
        .map(({ credentialId }, index) => ({
          credentialId,
          path: `${pathPrefix}request.authorization.bindings[${index}].credentialId`,
        }))
        .filter(({ credentialId }) => !known.has(credentialId));
    });
    const requested = [...new Set(named.map(({ credentialId }) => credentialId))];
    const lost = new Set<string>();
    for (let from = 0; from < requested.length; from += atOnce) {
      const some = requested.slice(from, from + atOnce);
      const responses = await Promise.all(some.map(isThere));
      for (const [index, id] of some.entries()) if (!responses[index]) lost.add(id);
    }
    const message = "No such credential. Choose another.";
    const errors = named.filter(({ credentialId }) => lost.has(credentialId)).map(({ path }) => ({ path, message }));
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  };
}
