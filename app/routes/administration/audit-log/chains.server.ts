import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

/** A service's report on its records; undefined while it is away. */
export type CheckedChain = Awaited<ReturnType<typeof checkChains>>[number];

/** Has every service verify the organization's records. */
export async function checkChains(backend: Backend) {
  const { securityService, portalService, apiRegistry, testRegistry, testExecutioner, testAnalyzer } = backend;
  const services = {
    ...{ "security-service": securityService, "portal-service": portalService, "api-registry": apiRegistry },
    ...{ "test-registry": testRegistry, "test-executioner": testExecutioner, "test-analyzer": testAnalyzer },
  };
  return await Promise.all(
    Object.entries(services).map(async ([service, { checkAuditChain }]) => ({
      service,
      chain: available(await checkAuditChain()),
    })),
  );
}
