import type { PlanStatus } from "#contracts/kit/plan.ts";
import type { PortalEvent } from "#contracts/portal-service/events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { exceededBy, findNearLimits, planIdAt } from "../domain/plan-status.ts";
import { isEntitled } from "../domain/subscription.ts";
import { completeOfPlan } from "../store/notifications.ts";
import {
  findOrganizationPlan,
  lockPlan,
  type OrganizationPlan,
  putOrganizationPlan,
} from "../store/organization-plans.ts";
import { listPlans } from "../store/plans.ts";
import { listApproved, toEntitling } from "../store/subscriptions.ts";
import type { PortalDatabase, PortalTransaction } from "../store/tables.ts";
import { forgetSkipped, readUsage, toMonth } from "../store/usage.ts";
import type { BillingEmails } from "./billing-emails.ts";

export type OwnPlans = ReturnType<typeof createOwnPlans>;

/** The part sent to services; the rest stays in this service. */
export const toPlanStatus = ({ version, plan, exceeded }: OrganizationPlan): PlanStatus => ({
  version,
  plan,
  exceeded,
});

/** Stores each organization's plan, and notifies the services that enforce its limits. */
export function createOwnPlans({
  db,
  clock,
  publisher,
  emails,
}: {
  db: PortalDatabase;
  clock: Clock;
  emails: Pick<BillingEmails, "emailEnded">;
  publisher: Pick<Publisher<PortalEvent>, "publish">;
}) {
  async function compute(
    transaction: PortalTransaction,
    organizationId: string,
    operates: boolean,
  ): Promise<Omit<OrganizationPlan, "version">> {
    const now = clock.now();
    const month = toMonth(now);
    const rows = await listApproved(transaction, organizationId);
    const plans = await listPlans(transaction);
    const used = await readUsage(transaction, organizationId, month);
    const freeId = plans.find(({ price }) => Number(price.amount) === 0)?.serviceId ?? null;
    const subscriptions = rows.map((row) => ({ ...toEntitling(row), serviceId: row.service_id }));
    const { planId, until } = planIdAt({ subscriptions, freeId, operates }, now);
    const plan = plans.find(({ serviceId }) => serviceId === planId);
    return {
      operates,
      planId,
      plan: plan ? { name: plan.name, limits: plan.limits } : null,
      exceeded: exceededBy(plan?.limits, used),
      near: findNearLimits(plan?.limits, used, { month, planId: planId ?? "" }),
      settleAt: until,
    };
  }

  /** New and changed subscriptions send their own email; this one is for plans that ended by date. */
  async function notifyEnded(
    transaction: PortalTransaction,
    organizationId: string,
    { planId, settleAt }: OrganizationPlan,
    { plan: next }: OrganizationPlan,
  ): Promise<void> {
    const now = clock.now();
    if (!settleAt || settleAt > now) return;
    const rows = await listApproved(transaction, organizationId);
    if (rows.some((row) => isEntitled(toEntitling(row), now))) return;
    const ended = rows.find((row) => row.service_id === planId && row.state !== "EXPIRED");
    if (ended) await emails.emailEnded(transaction, ended, next?.name ?? null);
  }

  async function write(
    transaction: PortalTransaction,
    organizationId: string,
    known: OrganizationPlan | undefined,
    operates: boolean,
  ): Promise<OrganizationPlan> {
    const found = await compute(transaction, organizationId, operates);
    const before = JSON.stringify([known?.plan, known?.exceeded]);
    const isAnother = JSON.stringify([found.plan, found.exceeded]) !== before;
    const plan = { ...found, version: (known?.version ?? 0) + (isAnother ? 1 : 0) };
    await putOrganizationPlan(transaction, organizationId, plan);
    if (known && known.planId !== plan.planId) {
      await completeOfPlan(transaction, organizationId, clock.now());
      await forgetSkipped(transaction, organizationId);
      if (known.planId) await notifyEnded(transaction, organizationId, known, plan);
    }
    if (known && isAnother) {
      const resource = `organization/${organizationId}`;
      await publisher.publish(transaction, [
        { type: "plan.changed", organizationId, resource, payload: toPlanStatus(plan) },
      ]);
    }
    return plan;
  }

  /**
   * Determines the plan again when its inputs change, at the end of that transaction. Does nothing when the plan was
   * never requested: the first request determines it.
   */
  async function settle(transaction: PortalTransaction, organizationId: string): Promise<void> {
    await lockPlan(transaction, organizationId);
    const known = await findOrganizationPlan(transaction, organizationId);
    if (known) await write(transaction, organizationId, known, known.operates);
  }

  /** @param operates called when the organization is first seen */
  async function require(organizationId: string, operates: () => Promise<boolean>): Promise<OrganizationPlan> {
    const known = await findOrganizationPlan(db, organizationId);
    const isDue = known?.settleAt && known.settleAt <= clock.now();
    if (known && !isDue) return known;
    const isOperator = known ? known.operates : await operates();
    return await db.transaction().execute(async (transaction) => {
      await lockPlan(transaction, organizationId);
      return await write(
        transaction,
        organizationId,
        await findOrganizationPlan(transaction, organizationId),
        isOperator,
      );
    });
  }

  return { settle, require };
}
