import type { Context } from "hono";
import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Authenticate, Identity } from "../identity/identity.ts";
import { noOrganization } from "../organization/no-organization.ts";

function requireAccess(endpoint: Endpoint, caller: Identity): void {
  const { access } = endpoint;
  if ((caller.kind === "service" && access !== "agent") || access === "own-account") return;
  if (access === "internal") throw new Problem("not_found");
  // Agents are identified by what they sign, never by a token.
  if (access === "agent") throw new Problem("forbidden");
  // Every user has a role, and each role a scope: scopes are empty only when a required second factor is missing.
  if (access !== "public" && caller.scopes.length === 0) {
    throw new Problem("forbidden", "Your organization requires a second factor. Set it up on your profile first.");
  }
  if (access !== "public" && access !== "signed-in" && !caller.scopes.includes(access)) throw new Problem("forbidden");
}

/** The authorized caller; undefined for public endpoints. */
export async function identify(
  c: Context,
  endpoint: Endpoint,
  authenticate: Authenticate,
): Promise<Identity | undefined> {
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  if (endpoint.access === "public") return undefined;
  if (!bearer) throw new Problem("unauthenticated", "Send an access token as bearer token.");
  const caller = await authenticate(bearer);
  requireAccess(endpoint, caller);
  return caller;
}

/** The organization whose rows a call may access; undefined for an operator's view of all organizations. */
export function getOrganizationScope(endpoint: Endpoint, { organizationId }: Identity): string | undefined {
  const isAcross = endpoint.access === "system:manage" || endpoint.acrossOrganizations !== undefined;
  return isAcross || organizationId === noOrganization ? undefined : organizationId;
}
