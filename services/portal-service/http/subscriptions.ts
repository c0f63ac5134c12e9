import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { toApprovalHash, toPrice } from "../jobs/provider-orders.ts";
import { newSubscription } from "../store/new-subscription.ts";
import { findPlan } from "../store/plans.ts";
import {
  addEntry,
  findLive,
  findReturned,
  hasSubscribed,
  insertSubscription,
  listEntries,
  listSubscriptions,
  lockOrganization,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { SubscriptionCalls, SubscriptionParts } from "./subscription-calls.ts";
import { askToCancel, giveUp, leftToCallerMilliseconds } from "./subscription-ends.ts";

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

const getProviderId = (text: string) => (text === "-" ? undefined : text);

/**
 * Creates the handlers of an organization's subscriptions.
 * @param isSandbox whether the provider is the sandbox
 */
export function createSubscriptionHandlers(
  { db, clock, truth }: SubscriptionParts,
  { requireTruth, withProvider, soon, requireOwn, show, showAll }: SubscriptionCalls,
  isSandbox: boolean,
): SubscriptionHandlers {
  return {
    getPaymentProvider: () => ({ provider: truth ? { name: "PayPal", isSandbox } : null }),

    async listSubscriptions({ caller, query }) {
      const before = query.cursor === undefined ? undefined : readIdCursor(query.cursor);
      const rows = await listSubscriptions(db, caller.organizationId, { before, limit: query.limit });
      const page = pageFrom(
        rows,
        query.limit,
        (row) => [row.id],
        (row) => row,
      );
      const getsTrial = !(await hasSubscribed(db, caller.organizationId));
      return { ...page, items: await showAll(page.items), getsTrial };
    },

    async createSubscription({ caller, body, record, log }) {
      const provider = requireTruth();
      const plan = await findPlan(db, body.serviceId);
      if (!plan || plan.retiredAt || Number(plan.price.amount) === 0) {
        const other = plan?.retiredAt ? "This plan is no longer offered" : "This plan needs no subscription";
        const message = plan ? other : "No such plan";
        throw new Problem("invalid_input", undefined, { errors: [{ path: "serviceId", message }] });
      }
      const price = toPrice(plan);
      const wanted = await db.transaction().execute(async (transaction) => {
        const now = clock.now();
        await lockOrganization(transaction, caller.organizationId);
        const live = await findLive(transaction, caller.organizationId);
        if (live && live.state !== "PENDING_APPROVAL")
          throw new Problem("conflict", "You already have a subscription. Change its plan instead.");
        const trialDays = (await hasSubscribed(transaction, caller.organizationId)) ? 0 : plan.trialDays;
        const isSame = live?.service_id === plan.serviceId && live.price_minor === price.minorUnits;
        if (isSame && live.trial_days === trialDays) return live;
        const text = "Another plan was chosen before it was approved.";
        if (live) await giveUp(transaction, live, { text, userId: caller.userId, record }, now);
        const offer = { serviceId: plan.serviceId, price, trialDays };
        const row = newSubscription(caller.organizationId, { userId: caller.userId, ...offer }, now);
        await insertSubscription(transaction, row);
        await addEntry(transaction, {
          subscription: row,
          at: now,
          state: row.state,
          text: `Subscribed to ${plan.name}.`,
          userId: caller.userId,
        });
        await record(transaction, { id: row.id, after: { ...offer, state: row.state } });
        return row;
      });
      // Created at the provider after it is stored here: after a crash in between, the retry is for the same one.
      const begun = wanted.provider_id
        ? wanted
        : await soon(log, wanted, () => provider.ask(wanted, { userId: caller.userId }));
      return await show(begun);
    },

    async getSubscription(call) {
      return await show(await requireOwn(call));
    },

    async cancelSubscription({ caller, params, record, log }) {
      const own = await requireOwn({ caller, params });
      if (own.state === "CANCELLED" || own.state === "EXPIRED") throw new Problem("conflict", "It has already ended.");
      const provider = requireTruth();
      const cause = { text: "Cancelled before it was approved.", userId: caller.userId, record };
      await db
        .transaction()
        .execute((transaction) =>
          own.state === "PENDING_APPROVAL"
            ? giveUp(transaction, own, cause, clock.now())
            : askToCancel(transaction, own, cause, clock.now()),
        );
      // Cancelled at the provider after that is stored here: after a crash in between, the job does it.
      if (own.state !== "PENDING_APPROVAL") await soon(log, own, () => provider.ask(own, { userId: caller.userId }));
      return await show(await requireOwn({ caller, params }));
    },

    async verifySubscription({ caller, params, body, record, log }) {
      const provider = requireTruth();
      const found = await findReturned(db, caller.organizationId, {
        providerId: getProviderId(params.providerId),
        approvalHash: body.ba_token && toApprovalHash(body.ba_token),
      });
      if (!found) throw notFound("subscription");
      const hinted = await updateSubscription(db, {
        organization_id: found.organization_id,
        id: found.id,
        hinted_at: clock.now(),
        // Checked at once here, so that the returning user is recorded; by the job after a crash.
        ask_at: new Date(clock.now().getTime() + leftToCallerMilliseconds),
      });
      const seen = await withProvider(log, () => provider.ask(hinted, { userId: caller.userId, record }));
      return await show(seen);
    },

    async askProvider({ caller, params, record, log }) {
      const own = await requireOwn({ caller, params });
      const provider = requireTruth();
      const seen = await withProvider(log, () => provider.ask(own, { userId: caller.userId, record }));
      return await show(seen);
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
}
