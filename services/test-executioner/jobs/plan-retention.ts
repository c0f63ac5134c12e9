import type { Logger } from "pino";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { RetentionParts } from "./retention.ts";

/** Requests the retention of an organization's plan. Without a response (undefined), nothing is deleted this time. */
export function createFindRetention(parts: {
  portalService: Connect<typeof portalServiceContract>;
  serviceToken: IssueServiceToken;
  log: Logger;
}): RetentionParts["findRetention"] {
  return async (organizationId) => {
    const client = parts.portalService({ token: await parts.serviceToken(organizationId) });
    const result = await client.getRetention();
    if (result.ok) return result.value.retention;
    parts.log.warn({ organizationId, code: result.problem.code }, "how long results are kept could not be asked");
    return undefined;
  };
}
