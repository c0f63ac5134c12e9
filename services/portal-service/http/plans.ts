import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type OwnPlans, toPlanStatus } from "../jobs/own-plans.ts";
import type { OrganizationPlan } from "../store/organization-plans.ts";
import { listOffered, listPlans } from "../store/plans.ts";
import { listApproved } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { FindOwnOrganization } from "./organizations.ts";

type PlanHandlers = Pick<Handlers<typeof portalServiceContract>, "listServices" | "listPricing" | "getPlan">;

/** The plan of the caller's organization: the paid one, or the free one; none when nothing is limited. */
export type FindOwnPlan = (call: Parameters<FindOwnOrganization>[0]) => Promise<OrganizationPlan>;

export const createFindOwnPlan =
  (ownPlans: OwnPlans, findOwnOrganization: FindOwnOrganization): FindOwnPlan =>
  (call) =>
    ownPlans.require(call.caller.organizationId, async () => (await findOwnOrganization(call)).operates);

/** The plans that an organization ever paid for, and its current one; none when nothing is limited. */
export function createFindPlansSoFar(db: PortalDatabase, findOwnPlan: FindOwnPlan) {
  return async (call: Parameters<FindOwnPlan>[0]): Promise<ServicePricing[]> => {
    const { planId } = await findOwnPlan(call);
    if (planId === null) return [];
    const rows = await listApproved(db, call.caller.organizationId);
    const plans = await listPlans(db);
    return plans.filter(
      ({ serviceId }) => serviceId === planId || rows.some(({ service_id }) => service_id === serviceId),
    );
  };
}

export function createPlanHandlers(db: PortalDatabase, findOwnPlan: FindOwnPlan): PlanHandlers {
  return {
    async listServices() {
      const plans = await listOffered(db);
      return {
        items: plans.map(({ serviceId, name, description }) => ({ id: serviceId, name, description })),
        nextCursor: null,
      };
    },

    async listPricing() {
      return { items: await listOffered(db), nextCursor: null };
    },

    async getPlan(call) {
      return toPlanStatus(await findOwnPlan(call));
    },
  };
}
