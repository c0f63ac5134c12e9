import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import type { ServicePricing } from "../contract/plans.ts";
import { findPlan, listPlans } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { FindOwnOrganization } from "./organizations.ts";

type PlanHandlers = Pick<Handlers<typeof portalServiceContract>, "listServices" | "listPricing" | "getPlan">;

/** The plan of the caller's organization; undefined while none is chosen. */
export type FindOwnPlan = (call: Parameters<FindOwnOrganization>[0]) => Promise<ServicePricing | undefined>;

export function createFindOwnPlan(db: PortalDatabase, findOwnOrganization: FindOwnOrganization): FindOwnPlan {
  return async (call) => {
    const { serviceId } = await findOwnOrganization(call);
    return serviceId ? await findPlan(db, serviceId) : undefined;
  };
}

export function createPlanHandlers(db: PortalDatabase, findOwnPlan: FindOwnPlan): PlanHandlers {
  return {
    async listServices() {
      const plans = await listPlans(db);
      return {
        items: plans.map(({ serviceId, name, description }) => ({ id: serviceId, name, description })),
        nextCursor: null,
      };
    },

    async listPricing() {
      return { items: await listPlans(db), nextCursor: null };
    },

    async getPlan(call) {
      const plan = await findOwnPlan(call);
      return { plan: plan ? { name: plan.name, limits: plan.limits } : null };
    },
  };
}
