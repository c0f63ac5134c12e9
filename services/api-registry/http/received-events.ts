import type { z } from "zod";
import type { dependenciesSeen } from "#contracts/test-executioner/events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { createInbox } from "../../kit/events/inbox.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import { findApi } from "../store/apis.ts";
import { addSeen } from "../store/seen-dependencies.ts";
import type { ApiRegistryTables, RegistryDatabase } from "../store/tables.ts";
import type { RegistryHandlers } from "./context.ts";

type DependenciesSeen = z.infer<typeof dependenciesSeen>;

/** Creates the handler of other services' events; duplicate or late events change nothing. */
export function createReceivedEventHandlers(parts: {
  db: RegistryDatabase;
  clock: Clock;
  plans: PlanLedger;
  ended: EndedOrganizations;
}): Pick<RegistryHandlers, "receiveEvent"> {
  const { db, clock, plans, ended } = parts;
  const count = createInbox<ApiRegistryTables, DependenciesSeen>(
    { db, clock },
    {
      async "dependencies.seen"(transaction, { organizationId, payload: { apiId, dependencies } }) {
        const api = await findApi(transaction, organizationId, apiId);
        if (api) await addSeen(transaction, api, dependencies);
      },
    },
  );
  return {
    async receiveEvent({ caller, body }) {
      const { organizationId } = caller;
      if (body.type === "dependencies.seen") return await count({ caller, body });
      if (body.type === "plan.changed") await plans.store(organizationId, body.payload);
      else await db.transaction().execute((transaction) => ended.end(transaction, organizationId));
      return undefined;
    },
  };
}
