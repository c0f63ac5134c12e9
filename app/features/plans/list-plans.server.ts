import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { PortalContext } from "~/session/context";
import { connectForVisitor } from "~/session/visitor";

/** All plans, cheapest first; undefined when portal-service is unavailable, which must not fail a page. */
export async function listPlans(context: PortalContext): Promise<ServicePricing[] | undefined> {
  const { backend, headers } = await connectForVisitor(context);
  const pricing = await backend.portalService.listPricing({ headers });
  return pricing.ok ? pricing.value.items : undefined;
}
