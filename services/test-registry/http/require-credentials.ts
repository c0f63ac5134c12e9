import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Authorization } from "#contracts/test-registry/requests.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";

export interface CredentialDemand {
  wanted: Authorization;
  /** What the test named before. */
  stored?: Authorization;
  /** Where its fields are in the call, if not at its top, as in `items[3].`. */
  place?: string;
}

export type RequireCredentials = (
  who: { caller: Identity; requestId: string },
  ...demands: CredentialDemand[]
) => Promise<void>;

const bindingsOf = (authorization?: Authorization) =>
  authorization?.kind === "credentials" ? authorization.bindings : [];

/** Calls at once: a hundred tests may name as many credentials. */
const atOnce = 10;

/**
 * Asks whether the credentials that tests name are the caller's, of each once. One that a test named before may have been
 * deleted since: that stands on the test's page, and keeps nobody from changing something else of it.
 */
export function createRequireCredentials(securityService: Connect<typeof securityServiceContract>): RequireCredentials {
  return async ({ caller, requestId }, ...demands) => {
    const { getCredential } = securityService({ token: caller.token, requestId });
    const isThere = async (credentialId: string) => {
      const found = await getCredential({ params: { credentialId } });
      if (!found.ok && found.status !== 404) throw new Problem(found.problem.code, found.problem.detail);
      return found.ok;
    };
    const named = demands.flatMap(({ wanted, stored, place = "" }) => {
      const known = new Set(bindingsOf(stored).map(({ credentialId }) => credentialId));
      return bindingsOf(wanted)
        .map(({ credentialId }, index) => ({
          credentialId,
          path: `${place}request.authorization.bindings[${index}].credentialId`,
        }))
        .filter(({ credentialId }) => !known.has(credentialId));
    });
    const asked = [...new Set(named.map(({ credentialId }) => credentialId))];
    const lost = new Set<string>();
    for (let from = 0; from < asked.length; from += atOnce) {
      const some = asked.slice(from, from + atOnce);
      const answers = await Promise.all(some.map(isThere));
      for (const [index, id] of some.entries()) if (!answers[index]) lost.add(id);
    }
    const message = "There is no such credential. Choose another.";
    const errors = named.filter(({ credentialId }) => lost.has(credentialId)).map(({ path }) => ({ path, message }));
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  };
}
