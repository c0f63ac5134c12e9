import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import { retentionOf } from "../domain/retention.ts";
import type { FindOwnPlan } from "./plans.ts";

export function createRetentionHandlers(
  findOwnPlan: FindOwnPlan,
): Pick<Handlers<typeof portalServiceContract>, "getRetention"> {
  return {
    async getRetention(call) {
      const plan = await findOwnPlan(call);
      return { retention: plan ? retentionOf(plan.limits) : null };
    },
  };
}
