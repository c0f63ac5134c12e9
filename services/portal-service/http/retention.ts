import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import { retentionOf } from "../domain/retention.ts";
import { findPlan } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { FindOwnOrganization } from "./organizations.ts";

export function createRetentionHandlers(parts: {
  db: PortalDatabase;
  findOwnOrganization: FindOwnOrganization;
}): Pick<Handlers<typeof portalServiceContract>, "getRetention"> {
  return {
    async getRetention(call) {
      const { serviceId } = await parts.findOwnOrganization(call);
      const plan = serviceId ? await findPlan(parts.db, serviceId) : undefined;
      return { retention: plan ? retentionOf(plan.limits) : null };
    },
  };
}
