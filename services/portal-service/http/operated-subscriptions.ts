import { z } from "zod";
import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { difference } from "#contracts/portal-service/differences.ts";
import type { OperatedSubscription, OperatorDeed } from "#contracts/portal-service/operated-subscriptions.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import { deedStates, longestDeedMilliseconds } from "../domain/operator-deed.ts";
import { entitledUntil, isEntitled, liveStates } from "../domain/subscription.ts";
import { isOnTrial } from "../domain/trial.ts";
import type { ObservedTruth } from "../jobs/observed-truth.ts";
import { type PaymentProvider, ProviderFailure } from "../payment/provider.ts";
import { findOfAny, listOfAll, type Wanted } from "../store/operated-subscriptions.ts";
import { listPaymentsOf } from "../store/payments.ts";
import { planNames } from "../store/plans.ts";
import {
  deedColumns,
  entitlingOf,
  listEntries,
  lockSubscription,
  plannedOf,
  type SubscriptionRow,
  updateSubscription,
} from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { OrganizationNames } from "./organization-names.ts";
import { readPaymentCursor, showPayments } from "./payments.ts";
import { providerIsAway } from "./subscription-calls.ts";

type OperatedHandlers = Pick<
  Handlers<typeof portalServiceContract>,
  | "listAllSubscriptions"
  | "getAnySubscription"
  | "listEntriesOfAny"
  | "listPaymentsOfAny"
  | "askAboutAny"
  | "suspendAny"
  | "activateAny"
  | "cancelAny"
>;

interface OperatedParts {
  db: PortalDatabase;
  clock: Clock;
  /** Both undefined where no payment provider is configured. */
  truth: ObservedTruth | undefined;
  provider: PaymentProvider | undefined;
  names: OrganizationNames;
}

type Asking = Pick<Call<Endpoint>, "caller" | "requestId">;

const differences = z.array(difference).catch([]);

/** What may be an id: ours are UUIDs, the provider's are capitals, digits and hyphens, which a name may be as well. */
function namedIn(text: string): Wanted["named"] {
  if (z.uuid().safeParse(text).success) return { id: text };
  const id = text.toUpperCase();
  return /^[A-Z\d-]{7,40}$/.test(id) ? { providerId: id, paymentId: id } : undefined;
}

/** Makes the handlers of what the operator sees of subscriptions of all organizations, and does to them. */
export function createOperatedSubscriptionHandlers(parts: OperatedParts): OperatedHandlers {
  const { db, clock, truth, provider, names } = parts;

  function show(row: SubscriptionRow, plans: Map<string, string>, organizations: Map<string, string>) {
    const entitling = entitlingOf(row);
    const { current, next } = plannedOf(row);
    const nameOf = (serviceId: string) => plans.get(serviceId) ?? serviceId;
    return {
      id: row.id,
      organization: { id: row.organization_id, name: organizations.get(row.organization_id) ?? null },
      userId: row.user_id,
      serviceId: current.serviceId,
      serviceName: nameOf(current.serviceId),
      price: current.price,
      plannedChange: next && {
        serviceId: next.serviceId,
        serviceName: nameOf(next.serviceId),
        price: next.price,
        countsAt: next.at.toISOString(),
      },
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
      createdAt: row.created_at.toISOString(),
      providerId: row.provider_id,
      providerPlanId: row.provider_plan_id,
      superseded: row.superseded,
      askAt: row.ask_at?.toISOString() ?? null,
      answeredAt: row.answered_at?.toISOString() ?? null,
      differences: differences.parse(row.answer_differences),
    } satisfies OperatedSubscription;
  }

  async function showOne(call: Asking, row: SubscriptionRow) {
    const [plans, organizations] = [await planNames(db), await names.namesOf(call, [row.organization_id])];
    return show(row, plans, organizations);
  }

  async function requireAny({ params }: { params: { subscriptionId: string } }): Promise<SubscriptionRow> {
    const row = await findOfAny(db, params.subscriptionId);
    if (!row) throw notFound("subscription");
    return row;
  }

  function requireProvider() {
    if (!truth || !provider)
      throw new Problem("service_unavailable", "No payment provider is configured on this installation.");
    return { truth, provider };
  }

  type DeedCall = Asking & {
    params: { subscriptionId: string };
    body: { reason: string };
    record: RecordChange;
    log: Call<Endpoint>["log"];
  };

  /** Written down with its reason before the provider is told: whoever is the first to see that it took place knows why. */
  async function begin({ caller, body, record }: DeedCall, found: SubscriptionRow, deed: OperatorDeed) {
    const { from, to } = deedStates[deed];
    await db.transaction().execute(async (transaction) => {
      const row = await lockSubscription(transaction, found.organization_id, found.id);
      if (!row.provider_id || !from.includes(row.state))
        throw new Problem("conflict", "It is in another state by now. Look at it again.");
      const endsAt = new Date(clock.now().getTime() + longestDeedMilliseconds);
      const open = { state: to, because: body.reason, userId: caller.userId, endsAt };
      const { organization_id, id, state } = row;
      await updateSubscription(transaction, { organization_id, id, ...deedColumns(open), ask_at: endsAt });
      const after = { state, wantedState: to, reason: body.reason };
      await record(transaction, { id, organizationId: organization_id, before: { state }, after });
    });
  }

  /**
   * What the provider refuses does not take place: it has another state than is known here, and is asked for that soon.
   * What became of anything else, its next answer says.
   */
  async function leave({ organization_id, id }: SubscriptionRow, error: unknown): Promise<never> {
    const now = clock.now();
    const isRefused = error instanceof ProviderFailure && error.kind === "refused";
    const left = isRefused ? { ...deedColumns(undefined), ask_at: now } : { deed_ends_at: now };
    await updateSubscription(db, { organization_id, id, ...left });
    throw error;
  }

  /** At the provider first; then it is asked, and what it says counts. */
  async function act(call: DeedCall, deed: OperatorDeed) {
    const row = await requireAny(call);
    const { truth, provider } = requireProvider();
    await begin(call, row, deed);
    const tell = {
      suspend: provider.suspendSubscription,
      activate: provider.activateSubscription,
      cancel: provider.cancelSubscription,
    }[deed];
    try {
      await tell(row.provider_id!, call.body.reason).catch((error) => leave(row, error));
      return await showOne(call, await truth.ask(row, { userId: call.caller.userId }));
    } catch (error) {
      throw error instanceof ProviderFailure ? providerIsAway(error, call.log) : error;
    }
  }

  return {
    async listAllSubscriptions(call) {
      const { query, state, serviceId, cursor, limit } = call.query;
      const before = cursor === undefined ? undefined : readIdCursor(cursor);
      const select = (by: Pick<Wanted, "named" | "organizationIds">) =>
        listOfAll(db, { state, serviceId, ...by }, { before, limit });
      const named = query ? namedIn(query) : undefined;
      let rows = query && !named ? [] : await select({ named });
      // What is nobody's id may be a name.
      const found = query && !named?.id && rows.length === 0 ? await names.findByWords(call, query) : undefined;
      if (found) rows = await select({ organizationIds: found.ids });
      const plans = await planNames(db);
      const shown = rows.slice(0, limit).map(({ organization_id }) => organization_id);
      const organizations = await names.namesOf(call, shown);
      const page = pageFrom(
        rows,
        limit,
        (row) => [row.id],
        (row) => show(row, plans, organizations),
      );
      return { ...page, isCut: found?.hasMore ?? false };
    },

    getAnySubscription: async (call) => showOne(call, await requireAny(call)),

    async listEntriesOfAny({ params, query }) {
      const row = await requireAny({ params });
      const before = query.cursor === undefined ? undefined : readIdCursor(query.cursor);
      const of = { organizationId: row.organization_id, subscriptionId: row.id };
      const rows = await listEntries(db, of, { before, limit: query.limit });
      return pageFrom(
        rows,
        query.limit,
        (entry) => [entry.id],
        ({ id, at, state, text, user_id }) => ({ id, at: at.toISOString(), state, text, userId: user_id }),
      );
    },

    async listPaymentsOfAny({ params, query }) {
      const row = await requireAny({ params });
      const before = query.cursor === undefined ? undefined : readPaymentCursor(query.cursor);
      const rows = await listPaymentsOf(db, row, { before, limit: query.limit + 1 });
      return await showPayments(db, rows, query.limit);
    },

    async askAboutAny(call) {
      const row = await requireAny(call);
      const asked = requireProvider();
      await call.record(db);
      const record: RecordChange = (transaction, ...changes) =>
        call.record(transaction, ...changes.map((one) => ({ ...one, organizationId: row.organization_id })));
      try {
        const cause = { userId: call.caller.userId, record, withPayments: row.provider_id !== null };
        return await showOne(call, await asked.truth.ask(row, cause));
      } catch (error) {
        throw error instanceof ProviderFailure ? providerIsAway(error, call.log) : error;
      }
    },

    suspendAny: (call) => act(call, "suspend"),
    activateAny: (call) => act(call, "activate"),
    cancelAny: (call) => act(call, "cancel"),
  };
}
