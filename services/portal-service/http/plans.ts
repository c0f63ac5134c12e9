import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import { listPlans } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";

type PlanHandlers = Pick<Handlers<typeof portalServiceContract>, "listServices" | "listPricing">;

export function createPlanHandlers(db: PortalDatabase): PlanHandlers {
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
  };
}
