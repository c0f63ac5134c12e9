import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { ReceivedEvent } from "#contracts/portal-service/received-events.ts";
import { usageSubjects } from "#contracts/portal-service/usage.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { createInbox } from "../../kit/events/inbox.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { isNear } from "../domain/plan-status.ts";
import { daysUntil, monthsUntil } from "../domain/usage-history.ts";
import type { OwnPlans } from "../jobs/own-plans.ts";
import { completeIntroductions } from "../store/notifications.ts";
import { findOrganizationPlan } from "../store/organization-plans.ts";
import type { PortalDatabase, PortalTables, PortalTransaction } from "../store/tables.ts";
import {
  addToDay,
  addToMonth,
  addToUsage,
  markDisabled,
  markEnabled,
  markSkipped,
  readExecutions,
  readUsage,
  toMonth,
} from "../store/usage.ts";
import type { FindOwnPlan } from "./plans.ts";

type UsageHandlers = Pick<Handlers<typeof portalServiceContract>, "getUsage" | "getExecutionHistory" | "receiveEvent">;

const displayedMonths = 12;

/** Creates the handlers of organizations' usage: counted from events, each of which counts once. */
export function createUsageHandlers(parts: {
  db: PortalDatabase;
  clock: Clock;
  findOwnPlan: FindOwnPlan;
  ownPlans: OwnPlans;
  ended: EndedOrganizations;
}): UsageHandlers {
  const { db, clock, ownPlans, ended } = parts;

  /** Stored subjects can exceed or near a limit with each change. */
  async function add(transaction: PortalTransaction, usage: Parameters<typeof addToUsage>[1]): Promise<void> {
    await addToUsage(transaction, usage);
    await ownPlans.settle(transaction, usage.organizationId);
  }

  /** Every execution counts but few cross a limit, so the plan is read only near its limit. */
  async function addExecutions(
    transaction: PortalTransaction,
    { day, ...counted }: Parameters<typeof addToMonth>[1] & { day?: string },
  ) {
    const executions = await addToMonth(transaction, counted);
    if (day !== undefined) await addToDay(transaction, { ...counted, day });
    if (counted.month !== toMonth(clock.now())) return;
    const known = await findOrganizationPlan(transaction, counted.organizationId);
    const limit = known?.plan?.limits.executionsPerMonth ?? null;
    if (limit === null || !isNear(executions, limit)) return;
    const isReported = known?.near.some(
      ({ subject, period, used }) =>
        subject === "executionsPerMonth" && period === counted.month && used >= limit === executions >= limit,
    );
    if (!isReported) await ownPlans.settle(transaction, counted.organizationId);
  }

  return {
    async getUsage(call) {
      const month = toMonth(clock.now());
      const { plan, planId } = await parts.findOwnPlan(call);
      const used = await readUsage(db, call.caller.organizationId, month);
      return {
        month,
        plan: plan && planId ? { serviceId: planId, name: plan.name } : null,
        items: usageSubjects.map((subject) => ({
          subject,
          used: used[subject],
          ...(plan ? { limit: plan.limits[subject] } : {}),
        })),
      };
    },

    async getExecutionHistory({ caller }) {
      const now = clock.now();
      const [months, days] = [monthsUntil(now, displayedMonths), daysUntil(now)];
      const counted = await readExecutions(db, caller.organizationId, { months, days });
      const getExecutions = (period: string) => counted.get(period) ?? 0;
      const ofDays = days.reduce((sum, day) => sum + getExecutions(day), 0);
      return {
        months: months.map((month) => ({ month, executions: getExecutions(month) })),
        days:
          ofDays === getExecutions(toMonth(now)) ? days.map((day) => ({ day, executions: getExecutions(day) })) : null,
      };
    },

    receiveEvent: createInbox<PortalTables, ReceivedEvent>(parts, {
      async "api.registered"(transaction, { organizationId }) {
        await add(transaction, { organizationId, subject: "apis", by: 1 });
        await completeIntroductions(transaction, organizationId, clock.now());
      },
      "api.deleted": (transaction, { organizationId }) => add(transaction, { organizationId, subject: "apis", by: -1 }),
      "test.created": (transaction, { organizationId }) =>
        add(transaction, { organizationId, subject: "tests", by: 1 }),
      "tests.created": (transaction, { organizationId, payload }) =>
        add(transaction, { organizationId, subject: "tests", by: payload.testIds.length }),
      "tests.deleted": (transaction, { organizationId, payload }) =>
        add(transaction, { organizationId, subject: "tests", by: -payload.testIds.length }),
      "executions.counted": (transaction, { organizationId, payload }) =>
        addExecutions(transaction, { organizationId, ...payload }),
      "runs.skipped": (transaction, { organizationId, payload }) =>
        markSkipped(transaction, organizationId, payload.month),
      "user.created": (transaction, { organizationId }) =>
        add(transaction, { organizationId, subject: "members", by: 1 }),
      "organization.deleted": (transaction, { organizationId }) => ended.end(transaction, organizationId),
      // Part of every member change: only a change of the permission to sign in counts.
      "user.changed": async (transaction, { organizationId, payload: { userId, disabled } }) => {
        const mark = disabled ? markDisabled : markEnabled;
        if (!(await mark(transaction, { organizationId, userId }))) return;
        await add(transaction, { organizationId, subject: "members", by: disabled ? -1 : 1 });
      },
    }),
  };
}
