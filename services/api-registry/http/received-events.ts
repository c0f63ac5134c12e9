import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { RegistryHandlers } from "./context.ts";

/** Makes the handler of what other services tell; heard twice, or too late, it changes nothing. */
export function createReceivedEventHandlers(plans: PlanLedger): Pick<RegistryHandlers, "receiveEvent"> {
  return {
    async receiveEvent({ caller, body }) {
      await plans.take(caller.organizationId, body.payload);
      return undefined;
    },
  };
}
