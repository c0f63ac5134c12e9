import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { Executor } from "../../kit/database/database.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findObstacle, isSamePlan, type PricedPlan } from "../domain/plan-change.ts";
import { nextAsk } from "../domain/subscription.ts";
import type { Cause } from "../jobs/cause.ts";
import { toPrice } from "../jobs/provider-orders.ts";
import {
  findOpenChange,
  insertPlanChange,
  type PlanChangeRow,
  toPricedPlan,
  updateOpenChange,
} from "../store/plan-changes.ts";
import { findPlan, type Plan, planNames } from "../store/plans.ts";
import {
  addEntry,
  lockSubscription,
  type SubscriptionRow,
  toPlanned,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { PortalTables } from "../store/tables.ts";
import type { SubscriptionCalls, SubscriptionParts } from "./subscription-calls.ts";

const obstacles: Record<NonNullable<ReturnType<typeof findObstacle>> | "retired", string> = {
  "approve-first":
    "This subscription has not been approved yet. Approve it first, or subscribe to the other plan instead.",
  "pay-first": "Payments failed. Resolve this at PayPal; then you can change the plan.",
  over: "This subscription has ended or is about to. Subscribe to the plan instead.",
  "is-yours": "You already have this plan.",
  "is-planned": "This change is already planned.",
  retired: "This plan is no longer offered.",
  "other-currency": "This plan is sold in another currency. Cancel the subscription, then subscribe to it.",
};

/** Creates the handlers of changes to another plan. */
export function createPlanChangeHandlers(
  { db, clock }: SubscriptionParts,
  { requireTruth, soon, requireOwn, show }: SubscriptionCalls,
): Pick<Handlers<typeof portalServiceContract>, "createPlanChange" | "withdrawPlanChange"> {
  async function requirePaidPlan(serviceId: string): Promise<Plan> {
    const plan = await findPlan(db, serviceId);
    if (plan && Number(plan.price.amount) > 0) return plan;
    const message = plan ? "This plan is free: cancel the subscription" : "No such plan";
    throw new Problem("invalid_input", undefined, { errors: [{ path: "serviceId", message }] });
  }

  async function withdraw(
    transaction: Executor<PortalTables>,
    { row, open, cause }: { row: SubscriptionRow; open: PlanChangeRow; cause: Cause },
  ) {
    const now = clock.now();
    const { organization_id, id, service_id } = open;
    await updateOpenChange(transaction, {
      organization_id,
      id,
      state: "WITHDRAWN",
      approve_url: null,
      updated_at: now,
    });
    const name = (await planNames(transaction)).get(service_id) ?? service_id;
    const text = `The change to ${name} was withdrawn before it was approved.`;
    await addEntry(transaction, { subscription: row, at: now, state: row.state, text, userId: cause.userId });
  }

  /** Stores the request before the call to the provider: after a crash in between, the retry is the same request. */
  async function takeIn(
    transaction: Executor<PortalTables>,
    { row, wanted, name, cause }: { row: SubscriptionRow; wanted: PricedPlan; name: string; cause: Cause },
  ): Promise<PlanChangeRow> {
    const open = await findOpenChange(transaction, row.organization_id, row.id);
    if (open && isSamePlan(toPricedPlan(open), wanted)) {
      await cause.record?.(transaction);
      return open;
    }
    if (open) await withdraw(transaction, { row, open, cause });
    const now = clock.now();
    const change: PlanChangeRow = {
      id: uuidv7(),
      subscription_id: row.id,
      organization_id: row.organization_id,
      user_id: cause.userId!,
      service_id: wanted.serviceId,
      price_minor: wanted.price.minorUnits,
      price_currency: wanted.price.currency,
      state: "PENDING_APPROVAL",
      provider_plan_id: null,
      approve_url: null,
      approval_hash: null,
      created_at: now,
      updated_at: now,
    };
    await insertPlanChange(transaction, change);
    const { state, superseded, created_at: createdAt } = row;
    await updateSubscription(transaction, {
      organization_id: row.organization_id,
      id: row.id,
      ask_at: nextAsk(
        { state, superseded, createdAt, hintedAt: null, cancelRequestedAt: null, changeRequestedAt: now },
        now,
      ),
    });
    const text = `Asked for ${name}.`;
    await addEntry(transaction, { subscription: row, at: now, state, text, userId: cause.userId });
    const { current } = toPlanned(row);
    await cause.record?.(transaction, {
      id: row.id,
      before: { serviceId: current.serviceId },
      after: { asked: wanted },
    });
    return change;
  }

  return {
    async createPlanChange({ caller, params, body, record, log }) {
      const own = await requireOwn({ caller, params });
      const provider = requireTruth();
      const plan = await requirePaidPlan(body.serviceId);
      const cause = { userId: caller.userId, record };
      const [row, change] = await db.transaction().execute(async (transaction) => {
        const row = await lockSubscription(transaction, own.organization_id, own.id);
        const known = toPlanned(row);
        // An unchanged plan keeps its price.
        const isStored = plan.serviceId === known.current.serviceId;
        const wanted = isStored ? known.current : { serviceId: plan.serviceId, price: toPrice(plan) };
        if (plan.retiredAt && !isStored) throw new Problem("conflict", obstacles.retired);
        const obstacle = findObstacle({ ...known, state: row.cancel_asked_at ? "CANCELLED" : row.state }, wanted);
        if (obstacle) throw new Problem("conflict", obstacles[obstacle]);
        return [row, await takeIn(transaction, { row, wanted, name: plan.name, cause })] as const;
      });
      if (change.provider_plan_id === null)
        await soon(log, row, async () => {
          await provider.changePlan(row, change, { userId: caller.userId });
          return row;
        });
      return await show(await requireOwn({ caller, params }));
    },

    async withdrawPlanChange({ caller, params, record }) {
      const own = await requireOwn({ caller, params });
      await db.transaction().execute(async (transaction) => {
        const row = await lockSubscription(transaction, own.organization_id, own.id);
        const open = await findOpenChange(transaction, row.organization_id, row.id);
        if (!open) return await record(transaction);
        await withdraw(transaction, { row, open, cause: { userId: caller.userId } });
        await record(transaction, { id: row.id, before: { asked: toPricedPlan(open) }, after: { asked: null } });
      });
      return await show(await requireOwn({ caller, params }));
    },
  };
}
