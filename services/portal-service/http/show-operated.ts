import { z } from "zod";
import { difference } from "#contracts/portal-service/differences.ts";
import type { OperatedSubscription } from "#contracts/portal-service/operated-subscriptions.ts";
import { entitledUntil, isEntitled, liveStates } from "../domain/subscription.ts";
import { isOnTrial } from "../domain/trial.ts";
import { type SubscriptionRow, toEntitling, toPlanned } from "../store/subscriptions.ts";

const differences = z.array(difference).catch([]);

/**
 * The operator's view.
 * @param plans names by service; organizations: names by id
 */
export function showOperated(
  row: SubscriptionRow,
  { plans, organizations, now }: { plans: Map<string, string>; organizations: Map<string, string>; now: Date },
) {
  const entitling = toEntitling(row);
  const { current, next } = toPlanned(row);
  const getName = (serviceId: string) => plans.get(serviceId) ?? serviceId;
  return {
    id: row.id,
    organization: { id: row.organization_id, name: organizations.get(row.organization_id) ?? null },
    userId: row.user_id,
    serviceId: current.serviceId,
    serviceName: getName(current.serviceId),
    price: current.price,
    plannedChange: next && {
      serviceId: next.serviceId,
      serviceName: getName(next.serviceId),
      price: next.price,
      countsAt: next.at.toISOString(),
    },
    state: row.state,
    stateChangedAt: row.state_changed_at.toISOString(),
    trialDays: row.trial_days,
    trialEndsAt: row.trial_ends_at?.toISOString() ?? null,
    isOnTrial: isOnTrial(row.state, row.trial_ends_at, now),
    entitledUntil: entitledUntil(entitling)?.toISOString() ?? null,
    isEntitled: isEntitled(entitling, now),
    nextBillingAt: row.next_billing_at?.toISOString() ?? null,
    failedPayments: row.failed_payments,
    isCancelling: row.cancel_asked_at !== null && liveStates.includes(row.state),
    heldBecause: row.held_because,
    createdAt: row.created_at.toISOString(),
    providerId: row.provider_id,
    providerPlanId: row.provider_plan_id,
    superseded: row.superseded,
    askAt: row.ask_at?.toISOString() ?? null,
    answeredAt: row.answered_at?.toISOString() ?? null,
    differences: differences.parse(row.answer_differences),
  } satisfies OperatedSubscription;
}
