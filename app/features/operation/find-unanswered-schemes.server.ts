import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { available } from "~/backend/responses";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { getUnmetSchemes, type UnansweredSchemes } from "./unanswered-schemes";

/**
 * The security schemes of an operation without an authorization config for the host of its requests; undefined if none.
 */
export async function findUnansweredSchemes(
  { backend, may }: Viewer,
  { apiId, baseUrl, security }: { apiId: string; baseUrl: string | null } & Pick<DescribedOperation, "security">,
): Promise<UnansweredSchemes | undefined> {
  const requested = security.map((alternative) => alternative.map(({ schemeName }) => schemeName));
  if (!baseUrl || !URL.canParse(baseUrl) || getUnmetSchemes(requested, new Set()).length === 0) return undefined;
  const { host } = new URL(baseUrl);
  const { listDomainAuthorizationConfigs } = backend.securityService;
  const found = await listDomainAuthorizationConfigs({ params: { domain: host }, query: { limit: 200 } });
  const configs = available(found);
  if (!configs) return undefined;
  const names = getUnmetSchemes(requested, new Set(configs.items.map(({ schemeName }) => schemeName)));
  if (names.length === 0) return undefined;
  const createHref = (scheme: string) =>
    href("/administration/authorization-configs/create", { domain: host, scheme, apiId });
  return {
    host,
    schemes: names.map((name) => ({ name, ...(may("domains:manage") ? { createHref: createHref(name) } : {}) })),
  };
}
