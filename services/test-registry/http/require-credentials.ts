import type { Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { securityServiceContract } from "../../security-service/contract/contract.ts";
import type { Authorization } from "../contract/requests.ts";

export type RequireCredentials = (
  who: { caller: Identity; requestId: string },
  wanted: Authorization,
  stored?: Authorization,
) => Promise<void>;

const bindingsOf = (authorization?: Authorization) =>
  authorization?.kind === "credentials" ? authorization.bindings : [];

/**
 * Asks whether the credentials that a test names are the caller's. One that it named before may have been deleted since: that
 * stands on the test's page, and keeps nobody from changing something else of it.
 */
export function createRequireCredentials(securityService: Connect<typeof securityServiceContract>): RequireCredentials {
  return async ({ caller, requestId }, wanted, stored) => {
    const known = new Set(bindingsOf(stored).map(({ credentialId }) => credentialId));
    const { getCredential } = securityService({ token: caller.token, requestId });
    const faults = bindingsOf(wanted).map(async ({ credentialId }, index) => {
      if (known.has(credentialId)) return [];
      const found = await getCredential({ params: { credentialId } });
      if (found.ok) return [];
      if (found.status !== 404) throw new Problem(found.problem.code, found.problem.detail);
      const message = "There is no such credential. Choose another.";
      return [{ path: `request.authorization.bindings[${index}].credentialId`, message }];
    });
    const errors = (await Promise.all(faults)).flat();
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  };
}
