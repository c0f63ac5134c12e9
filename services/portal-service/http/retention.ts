import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Settings } from "../../kit/settings/settings.ts";
import { toRetention } from "../domain/retention.ts";
import type { createFindPlansSoFar } from "./plans.ts";

/** As long as the most generous plan ever paid for allows: a downgrade deletes no existing results. */
export function createRetentionHandlers(
  findPlansSoFar: ReturnType<typeof createFindPlansSoFar>,
  settings: Settings,
): Pick<Handlers<typeof portalServiceContract>, "getRetention"> {
  return {
    async getRetention(call) {
      const plans = await findPlansSoFar(call);
      const retentionDays = Math.max(...plans.map(({ limits }) => limits.retentionDays));
      const { leastVerdictsDays } = settings.current();
      return { retention: plans.length > 0 ? toRetention({ retentionDays }, leastVerdictsDays) : null };
    },
  };
}
