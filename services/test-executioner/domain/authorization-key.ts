import type { Authorization } from "#contracts/test-registry/requests.ts";

/** Names the credentials that an authorization opens at a host, in the portal as in an agent. */
export function toAuthorizationKey(authorization: Authorization): string {
  if (authorization.kind !== "credentials") return authorization.kind;
  return JSON.stringify(authorization.bindings.map(({ credentialId }) => credentialId));
}
