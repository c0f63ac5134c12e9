import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import type { RegistryHandlers } from "./context.ts";

/** Creates the handler of other services' events; duplicate or late events change nothing. */
export function createReceivedEventHandlers(parts: {
  db: RegistryDatabase;
  plans: PlanLedger;
  ended: EndedOrganizations;
}): Pick<RegistryHandlers, "receiveEvent"> {
  const { db, plans, ended } = parts;
  return {
    async receiveEvent({ caller: { organizationId }, body }) {
      if (body.type === "plan.changed") await plans.store(organizationId, body.payload);
      else await db.transaction().execute((transaction) => ended.end(transaction, organizationId));
      return undefined;
    },
  };
}
