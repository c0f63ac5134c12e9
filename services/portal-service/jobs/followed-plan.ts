import type { Executor } from "../../kit/database/database.ts";
import { isSamePlan, isTooLate, type Planned, type PricedPlan, planAfter } from "../domain/plan-change.ts";
import type { SubscriptionState } from "../domain/subscription.ts";
import { findOpenChange, type PlanChangeRow, updateOpenChange } from "../store/plan-changes.ts";
import { planNames } from "../store/plans.ts";
import { addEntry, type SubscriptionRow, toPlanned } from "../store/subscriptions.ts";
import type { PortalTables } from "../store/tables.ts";
import type { Cause } from "./cause.ts";

export interface Billed extends PricedPlan {
  /** The provider's id. */
  planId: string;
}

interface Followed {
  planned: Planned;
  /** The change that is waiting for approval. */
  open: PlanChangeRow | undefined;
}

const getAudited = ({ current, next }: Planned) => ({
  serviceId: current.serviceId,
  ...(next ? { nextServiceId: next.serviceId, nextAt: next.at.toISOString() } : {}),
});

function isSame(one: Planned, other: Planned): boolean {
  if (!isSamePlan(one.current, other.current)) return false;
  return one.next && other.next ? isSamePlan(one.next, other.next) : one.next === other.next;
}

function wordsFor(before: Planned, after: Planned, getName: (serviceId: string) => string): string {
  if (!isSamePlan(before.current, after.current)) return `The plan is ${getName(after.current.serviceId)} now.`;
  if (after.next) return `${getName(after.next.serviceId)} follows at the end of the paid period.`;
  return `The planned change was withdrawn: the plan stays ${getName(after.current.serviceId)}.`;
}

/**
 * Stores the consequences of the plan that the provider bills: in the history, in the audit log, and for the pending
 * change.
 * @returns the new values of the subscription's row
 */
export async function followPlan(
  transaction: Executor<PortalTables>,
  {
    row,
    state,
    billed,
    now,
    cause,
  }: { row: SubscriptionRow; state: SubscriptionState; billed?: Billed; now: Date; cause: Cause },
): Promise<Followed> {
  const { organization_id, id } = row;
  const before = toPlanned(row);
  const isLive = state === "ACTIVE" || state === "SUSPENDED";
  const open = await findOpenChange(transaction, organization_id, id);
  const planned =
    isLive && billed
      ? planAfter(before, billed, row.paid_until, now)
      : { current: before.current, next: isLive ? before.next : null };
  const changed = !isSame(before, planned);
  const write = async (text: string) =>
    await addEntry(transaction, { subscription: row, at: now, state, text, userId: cause.userId });
  const names = changed || open ? await planNames(transaction) : new Map<string, string>();
  const getName = (serviceId: string) => names.get(serviceId) ?? serviceId;

  if (changed && isLive) {
    await write(wordsFor(before, planned, getName));
    await cause.record?.(transaction, { id, before: getAudited(before), after: getAudited(planned) });
  }
  if (!open) return { planned, open };
  const isApproved = billed !== undefined && open.provider_plan_id === billed.planId;
  const isOver = !isLive || isTooLate(open.created_at, now);
  if (!isApproved && !isOver) return { planned, open };
  await updateOpenChange(transaction, {
    organization_id,
    id: open.id,
    state: isApproved ? "APPROVED" : "WITHDRAWN",
    approve_url: null,
    updated_at: now,
  });
  if (!isApproved && isLive) await write(`The change to ${getName(open.service_id)} was not approved in time.`);
  return { planned, open: undefined };
}
