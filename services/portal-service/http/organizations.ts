import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";

export type FindOwnOrganization = ReturnType<typeof createFindOwnOrganization>;

/** Organizations belong to security-service; this service returns the caller's own one. */
export function createFindOwnOrganization(parts: {
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}) {
  return async ({ caller, requestId, log }: Pick<Call<Endpoint>, "caller" | "requestId" | "log">) => {
    const { organizationId } = caller;
    const client = parts.securityService({ token: await parts.serviceToken(organizationId), requestId });
    const result = await client.getOrganization({ params: { organizationId } });
    if (result.ok) return result.value;
    if (result.status === 404) throw notFound("organization");
    log.error({ status: result.status, code: result.problem.code }, "security-service did not respond");
    throw new Problem("service_unavailable");
  };
}

export function createOrganizationHandlers(
  findOwnOrganization: FindOwnOrganization,
): Pick<Handlers<typeof portalServiceContract>, "getCurrentOrganization"> {
  return { getCurrentOrganization: findOwnOrganization };
}
