import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Call } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { entitledUntil, isEntitled, liveStates } from "../domain/subscription.ts";
import { isOnTrial } from "../domain/trial.ts";
import { changeSealedAt, sealedAt } from "../jobs/provider-orders.ts";
import type { ProviderTruth } from "../jobs/provider-truth.ts";
import { ProviderFailure } from "../payment/provider.ts";
import { findOpenChanges, type PlanChangeRow, toPricedPlan } from "../store/plan-changes.ts";
import { planNames } from "../store/plans.ts";
import { findSubscription, type SubscriptionRow, toEntitling, toPlanned } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";

export interface SubscriptionParts {
  db: PortalDatabase;
  clock: Clock;
  vault: Vault;
  /** Undefined without a payment provider. */
  truth: ProviderTruth | undefined;
}

export function providerIsAway(error: ProviderFailure, log: Call<Endpoint>["log"]): Problem {
  log.warn({ kind: error.kind, reason: error.message }, "the payment provider did not do what it was asked");
  const detail =
    error.kind === "refused"
      ? "The payment provider refused this. Nothing was charged; the portal's operator can find the reason in the log."
      : "The payment provider is not responding. Nothing was charged; try again in a moment.";
  return new Problem("service_unavailable", detail, { retryAfterSeconds: error.retryAfterSeconds });
}

/** The shared parts of calls about an organization's subscriptions. */
export function createSubscriptionCalls({ db, clock, vault, truth }: SubscriptionParts) {
  function present(row: SubscriptionRow, change: PlanChangeRow | undefined, names: Map<string, string>): Subscription {
    const entitling = toEntitling(row);
    const getName = (serviceId: string) => names.get(serviceId) ?? serviceId;
    const { current, next } = toPlanned(row);
    const requested = change && toPricedPlan(change);
    return {
      id: row.id,
      serviceId: current.serviceId,
      serviceName: getName(current.serviceId),
      price: current.price,
      state: row.state,
      stateChangedAt: row.state_changed_at.toISOString(),
      trialDays: row.trial_days,
      trialEndsAt: row.trial_ends_at?.toISOString() ?? null,
      isOnTrial: isOnTrial(row.state, row.trial_ends_at, clock.now()),
      entitledUntil: entitledUntil(entitling)?.toISOString() ?? null,
      isEntitled: isEntitled(entitling, clock.now()),
      nextBillingAt: row.next_billing_at?.toISOString() ?? null,
      failedPayments: row.failed_payments,
      isCancelling: row.cancel_asked_at !== null && liveStates.includes(row.state),
      heldBecause: row.held_because,
      approveUrl: row.approve_url && vault.open(row.approve_url, sealedAt(row)),
      plannedChange: next && {
        serviceId: next.serviceId,
        serviceName: getName(next.serviceId),
        price: next.price,
        countsAt: next.at.toISOString(),
      },
      pendingChange:
        change && requested
          ? {
              ...requested,
              serviceName: getName(requested.serviceId),
              approveUrl: change.approve_url && vault.open(change.approve_url, changeSealedAt(change)),
              askedAt: change.created_at.toISOString(),
            }
          : null,
      createdAt: row.created_at.toISOString(),
    };
  }

  async function showAll(rows: SubscriptionRow[]): Promise<Subscription[]> {
    const [first] = rows;
    if (!first) return [];
    const ids = rows.map(({ id }) => id);
    const [names, changes] = await Promise.all([planNames(db), findOpenChanges(db, first.organization_id, ids)]);
    return rows.map((row) => present(row, changes.get(row.id), names));
  }

  return {
    requireTruth(): ProviderTruth {
      if (!truth) throw new Problem("service_unavailable", "No payment provider is configured on this installation.");
      return truth;
    },

    /** Reports a failed call to the provider as a problem. */
    async withProvider<Result>(log: Call<Endpoint>["log"], work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (error) {
        throw error instanceof ProviderFailure ? providerIsAway(error, log) : error;
      }
    },

    /** The job repeats a call that the provider does not respond to now; until then the state does not change. */
    async soon(log: Call<Endpoint>["log"], row: SubscriptionRow, work: () => Promise<SubscriptionRow>) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        if (error.kind === "refused" && row.provider_id === null) throw providerIsAway(error, log);
        log.warn({ kind: error.kind, reason: error.message }, "the payment provider is asked again later");
        return row;
      }
    },

    async requireOwn({ caller, params }: { caller: { organizationId: string }; params: { subscriptionId: string } }) {
      const found = await findSubscription(db, caller.organizationId, params.subscriptionId);
      if (!found) throw notFound("subscription");
      return found;
    },

    showAll,
    async show(row: SubscriptionRow): Promise<Subscription> {
      const [displayed] = await showAll([row]);
      return displayed!;
    },
  };
}

export type SubscriptionCalls = ReturnType<typeof createSubscriptionCalls>;
