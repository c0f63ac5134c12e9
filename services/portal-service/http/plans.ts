import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import type { ServicePricing } from "../contract/plans.ts";
import { isEntitled } from "../domain/subscription.ts";
import { findPlan, listPlans } from "../store/plans.ts";
import { entitlingOf, listApproved } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { FindOwnOrganization } from "./organizations.ts";

type PlanHandlers = Pick<Handlers<typeof portalServiceContract>, "listServices" | "listPricing" | "getPlan">;

/**
 * The plan of the caller's organization: what it pays for; the free one once that is over; before any subscription the
 * one it chose. Undefined while none is chosen.
 */
export type FindOwnPlan = (call: Parameters<FindOwnOrganization>[0]) => Promise<ServicePricing | undefined>;

export function createFindOwnPlan(
  db: PortalDatabase,
  clock: Clock,
  findOwnOrganization: FindOwnOrganization,
): FindOwnPlan {
  return async (call) => {
    const rows = await listApproved(db, call.caller.organizationId);
    const now = clock.now();
    const paid = rows.find((row) => isEntitled(entitlingOf(row), now));
    if (paid) return await findPlan(db, paid.service_id);
    if (rows.length > 0) return (await listPlans(db)).find(({ price }) => Number(price.amount) === 0);
    const { serviceId } = await findOwnOrganization(call);
    return serviceId ? await findPlan(db, serviceId) : undefined;
  };
}

/** The plans of all that an organization ever paid for, and its own. */
export function createFindPlansSoFar(db: PortalDatabase, findOwnPlan: FindOwnPlan) {
  return async (call: Parameters<FindOwnPlan>[0]): Promise<ServicePricing[]> => {
    const own = await findOwnPlan(call);
    const rows = await listApproved(db, call.caller.organizationId);
    if (rows.length === 0) return own ? [own] : [];
    const plans = await listPlans(db);
    const known = plans.filter(({ serviceId }) => rows.some(({ service_id }) => service_id === serviceId));
    return own ? [own, ...known] : known;
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
