import type { Clock } from "../../kit/clock/clock.ts";
import { createInbox } from "../../kit/events/inbox.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import type { ReceivedEvent } from "../contract/received-events.ts";
import { usageSubjects } from "../contract/usage.ts";
import type { PortalDatabase, PortalTables } from "../store/tables.ts";
import { addToMonth, addToUsage, monthOf, readUsage } from "../store/usage.ts";
import type { FindOwnPlan } from "./plans.ts";

type UsageHandlers = Pick<Handlers<typeof portalServiceContract>, "getUsage" | "receiveEvent">;

/** Makes the handlers of what organizations use: counted from events, each of which counts once. */
export function createUsageHandlers(parts: {
  db: PortalDatabase;
  clock: Clock;
  findOwnPlan: FindOwnPlan;
}): UsageHandlers {
  const { db, clock } = parts;
  return {
    async getUsage(call) {
      const month = monthOf(clock.now());
      const plan = await parts.findOwnPlan(call);
      const used = await readUsage(db, call.caller.organizationId, month);
      return {
        month,
        items: usageSubjects.map((subject) => ({
          subject,
          used: used[subject],
          ...(plan ? { limit: plan.limits[subject] } : {}),
        })),
      };
    },

    receiveEvent: createInbox<PortalTables, ReceivedEvent>(parts, {
      "api.registered": (transaction, { organizationId }) =>
        addToUsage(transaction, { organizationId, subject: "apis", by: 1 }),
      "api.deleted": (transaction, { organizationId }) =>
        addToUsage(transaction, { organizationId, subject: "apis", by: -1 }),
      "test.created": (transaction, { organizationId }) =>
        addToUsage(transaction, { organizationId, subject: "tests", by: 1 }),
      "tests.deleted": (transaction, { organizationId, payload }) =>
        addToUsage(transaction, { organizationId, subject: "tests", by: -payload.testIds.length }),
      "executions.counted": (transaction, { organizationId, payload }) =>
        addToMonth(transaction, { organizationId, ...payload }),
      "user.created": (transaction, { organizationId }) =>
        addToUsage(transaction, { organizationId, subject: "members", by: 1 }),
    }),
  };
}
