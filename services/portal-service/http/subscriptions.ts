import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Endpoint } from "../../kit/contract/endpoint.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import type { Subscription } from "../contract/subscriptions.ts";
import { entitledUntil, isEntitled, nextAsk } from "../domain/subscription.ts";
import { approvalHashOf, type Cause, type ProviderTruth, priceOf, sealedAt } from "../jobs/provider-truth.ts";
import { ProviderFailure } from "../payment/provider.ts";
import { completeOfSubscription } from "../store/notifications.ts";
import { findPlan, planNames } from "../store/plans.ts";
import {
  addEntry,
  entitlingOf,
  findLive,
  findReturned,
  findSubscription,
  insertSubscription,
  listEntries,
  listSubscriptions,
  lockOrganization,
  lockSubscription,
  type SubscriptionRow,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";

type SubscriptionHandlers = Pick<
  Handlers<typeof portalServiceContract>,
  | "getPaymentProvider"
  | "listSubscriptions"
  | "createSubscription"
  | "getSubscription"
  | "cancelSubscription"
  | "verifySubscription"
  | "askProvider"
  | "listSubscriptionEntries"
>;

interface SubscriptionParts {
  db: PortalDatabase;
  clock: Clock;
  vault: Vault;
  /** Undefined where no payment provider is configured. */
  truth: ProviderTruth | undefined;
  /** The provider only plays. */
  isSandbox: boolean;
}

const providerIdOf = (text: string) => (text === "-" ? undefined : text);

function providerIsAway(error: ProviderFailure, log: Call<Endpoint>["log"]): Problem {
  log.warn({ kind: error.kind, reason: error.message }, "the payment provider did not do what it was asked");
  const detail =
    error.kind === "refused"
      ? "The payment provider refuses this. Nothing was charged; those who run the portal find the reason in its log."
      : "The payment provider does not answer. Nothing was charged; try again in a moment.";
  return new Problem("service_unavailable", detail, { retryAfterSeconds: error.retryAfterSeconds });
}

/** Makes the handlers of an organization's subscriptions. */
export function createSubscriptionHandlers({
  db,
  clock,
  vault,
  truth,
  isSandbox,
}: SubscriptionParts): SubscriptionHandlers {
  function requireTruth(): ProviderTruth {
    if (!truth) throw new Problem("service_unavailable", "No payment provider is configured on this installation.");
    return truth;
  }

  /** What a provider that is away keeps from being done is said as that. */
  async function withProvider<Result>(log: Call<Endpoint>["log"], work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof ProviderFailure ? providerIsAway(error, log) : error;
    }
  }

  const namesOfPlans = () => planNames(db);

  function show(row: SubscriptionRow, names: Map<string, string>): Subscription {
    const now = clock.now();
    const entitling = entitlingOf(row);
    return {
      id: row.id,
      serviceId: row.service_id,
      serviceName: names.get(row.service_id) ?? row.service_id,
      price: { minorUnits: row.price_minor, currency: row.price_currency },
      state: row.state,
      stateChangedAt: row.state_changed_at.toISOString(),
      entitledUntil: entitledUntil(entitling)?.toISOString() ?? null,
      isEntitled: isEntitled(entitling, now),
      nextBillingAt: row.next_billing_at?.toISOString() ?? null,
      failedPayments: row.failed_payments,
      approveUrl: row.approve_url && vault.open(row.approve_url, sealedAt(row)),
      createdAt: row.created_at.toISOString(),
    };
  }

  async function requireOwn({
    caller,
    params,
  }: {
    caller: { organizationId: string };
    params: { subscriptionId: string };
  }) {
    const found = await findSubscription(db, caller.organizationId, params.subscriptionId);
    if (!found) throw notFound("subscription");
    return found;
  }

  return {
    getPaymentProvider: () => ({ provider: truth ? { name: "PayPal", isSandbox } : null }),

    async listSubscriptions({ caller, query }) {
      const before = query.cursor === undefined ? undefined : readIdCursor(query.cursor);
      const rows = await listSubscriptions(db, caller.organizationId, { before, limit: query.limit });
      const names = await namesOfPlans();
      return pageFrom(
        rows,
        query.limit,
        (row) => [row.id],
        (row) => show(row, names),
      );
    },

    async createSubscription({ caller, body, record, log }) {
      const provider = requireTruth();
      const plan = await findPlan(db, body.serviceId);
      if (!plan || Number(plan.price.amount) === 0) {
        const message = plan ? "This plan needs no subscription" : "There is no such plan";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "serviceId", message }] });
      }
      const price = priceOf(plan);
      const wanted = await db.transaction().execute(async (transaction) => {
        const now = clock.now();
        await lockOrganization(transaction, caller.organizationId);
        const live = await findLive(transaction, caller.organizationId);
        if (live && live.state !== "PENDING_APPROVAL")
          throw new Problem("conflict", "There is a subscription already. Cancel it before you take another plan.");
        if (live && live.service_id === plan.serviceId && live.price_minor === price.minorUnits) return live;
        const text = "Another plan was chosen before it was approved.";
        if (live) await giveUp(transaction, live, { text, userId: caller.userId, record });
        const row: SubscriptionRow = {
          id: uuidv7(),
          organization_id: caller.organizationId,
          user_id: caller.userId,
          service_id: plan.serviceId,
          price_minor: price.minorUnits,
          price_currency: price.currency,
          state: "PENDING_APPROVAL",
          state_changed_at: now,
          provider_id: null,
          provider_plan_id: null,
          approve_url: null,
          approval_hash: null,
          superseded: false,
          next_billing_at: null,
          paid_until: null,
          failed_payments: 0,
          asked: 0,
          answered: 0,
          hinted_at: null,
          ask_at: nextAsk({ state: "PENDING_APPROVAL", superseded: false, createdAt: now, hintedAt: null }, now),
          created_at: now,
          updated_at: now,
        };
        await insertSubscription(transaction, row);
        await addEntry(transaction, {
          subscription: row,
          at: now,
          state: row.state,
          text: `Subscribed to ${plan.name}.`,
          userId: caller.userId,
        });
        await record(transaction, { id: row.id, after: { serviceId: plan.serviceId, price, state: row.state } });
        return row;
      });
      // Begun at the provider after it is written down here: whatever ends us in between, it is the same one next time.
      const begun = wanted.provider_id
        ? wanted
        : await withProvider(log, () => provider.ask(wanted, { userId: caller.userId }));
      return show(begun, await namesOfPlans());
    },

    async getSubscription(call) {
      return show(await requireOwn(call), await namesOfPlans());
    },

    async cancelSubscription({ caller, params, record, log }) {
      const own = await requireOwn({ caller, params });
      if (own.state === "CANCELLED" || own.state === "EXPIRED") throw new Problem("conflict", "It is over already.");
      const provider = requireTruth();
      const cause = { text: "Cancelled by a member.", userId: caller.userId, record };
      if (own.state === "PENDING_APPROVAL")
        await db
          .transaction()
          .execute((transaction) => giveUp(transaction, own, { ...cause, text: "Cancelled before it was approved." }));
      else await withProvider(log, () => provider.cancel(own, cause));
      return show(await requireOwn({ caller, params }), await namesOfPlans());
    },

    async verifySubscription({ caller, params, body, record, log }) {
      const provider = requireTruth();
      const found = await findReturned(db, caller.organizationId, {
        providerId: providerIdOf(params.providerId),
        approvalHash: body.ba_token && approvalHashOf(body.ba_token),
      });
      if (!found) throw notFound("subscription");
      const hinted = await updateSubscription(db, {
        organization_id: found.organization_id,
        id: found.id,
        hinted_at: clock.now(),
        ask_at: clock.now(),
      });
      const seen = await withProvider(log, () => provider.ask(hinted, { userId: caller.userId, record }));
      return show(seen, await namesOfPlans());
    },

    async askProvider({ caller, params, record, log }) {
      const own = await requireOwn({ caller, params });
      const provider = requireTruth();
      const seen = await withProvider(log, () => provider.ask(own, { userId: caller.userId, record }));
      return show(seen, await namesOfPlans());
    },

    async listSubscriptionEntries({ caller, params, query }) {
      const { id } = await requireOwn({ caller, params });
      const before = query.cursor === undefined ? undefined : readIdCursor(query.cursor);
      const of = { organizationId: caller.organizationId, subscriptionId: id };
      const rows = await listEntries(db, of, { before, limit: query.limit });
      return pageFrom(
        rows,
        query.limit,
        (row) => [row.id],
        ({ id, at, state, text, user_id }) => ({ id, at: at.toISOString(), state, text, userId: user_id }),
      );
    },
  };

  /** What nobody approved yet is left: should somebody still approve it, it is cancelled there. */
  async function giveUp(transaction: Parameters<typeof updateSubscription>[0], own: SubscriptionRow, cause: Cause) {
    const now = clock.now();
    const { state } = await lockSubscription(transaction, own.organization_id, own.id);
    if (state !== "PENDING_APPROVAL")
      throw new Problem("conflict", "It is not waiting for approval any more. Look at it again.");
    await updateSubscription(transaction, {
      organization_id: own.organization_id,
      id: own.id,
      state: "CANCELLED",
      state_changed_at: now,
      superseded: true,
      approve_url: null,
      ask_at: nextAsk({ state: "CANCELLED", superseded: true, createdAt: own.created_at, hintedAt: null }, now),
      updated_at: now,
    });
    const { text = "Cancelled.", userId } = cause;
    await addEntry(transaction, { subscription: own, at: now, state: "CANCELLED", text, userId });
    await cause.record?.(transaction, { id: own.id, before: { state }, after: { state: "CANCELLED" } });
    await completeOfSubscription(transaction, own.organization_id, own.id, now);
  }
}
