import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Authorization } from "#contracts/test-registry/requests.ts";

export interface SchemeBinding {
  schemeName: string;
  credentialId: string;
}

/** A request's authorization; `inherited` if its bindings are the domain's and not the test's own. */
export type ChosenAuthorization = Authorization & { inherited?: boolean };

/**
 * The authorization of a request that inherits: of its operation's alternatives, the first whose schemes all have a
 * credential at this host. If there is none, bindings are ignored.
 */
export function chooseAuthorization(
  authorization: Authorization,
  bindings: readonly SchemeBinding[],
  operation: OperationWithComponents | undefined,
): ChosenAuthorization {
  if (authorization.kind !== "inherit" || !operation) return authorization;
  const credentials = new Map(bindings.map(({ schemeName, credentialId }) => [schemeName, credentialId]));
  const alternative = operation.operation.security.find(
    (schemes) => schemes.length > 0 && schemes.every(({ schemeName }) => credentials.has(schemeName)),
  );
  if (!alternative) return authorization;
  return {
    kind: "credentials",
    inherited: true,
    bindings: alternative.map(({ schemeName }) => ({ schemeName, credentialId: credentials.get(schemeName)! })),
  };
}
