import { z } from "zod";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { ObservedTruth } from "../jobs/observed-truth.ts";
import { type PaymentProvider, ProviderFailure } from "../payment/provider.ts";
import { findOfAny, listOfAll, type Wanted } from "../store/operated-subscriptions.ts";
import { listSubscriptionPayments } from "../store/payments.ts";
import { planNames } from "../store/plans.ts";
import { listEntries, type SubscriptionRow } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import { type ActionCall, createOperatorActions } from "./operator-actions.ts";
import type { OrganizationNames } from "./organization-names.ts";
import { readPaymentCursor, showPayments } from "./payments.ts";
import { showOperated } from "./show-operated.ts";
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
  /** Both undefined without a payment provider. */
  truth: ObservedTruth | undefined;
  provider: PaymentProvider | undefined;
  names: OrganizationNames;
}

/** Possible ids: ours are UUIDs, the provider's are capitals, digits and hyphens, which a name may also be. */
function namedIn(text: string): Wanted["named"] {
  if (z.uuid().safeParse(text).success) return { id: text };
  const id = text.toUpperCase();
  return /^[A-Z\d-]{7,40}$/.test(id) ? { providerId: id, paymentId: id } : undefined;
}

/** Creates the handlers of the operator's view of all organizations' subscriptions, and of actions on them. */
export function createOperatedSubscriptionHandlers(parts: OperatedParts): OperatedHandlers {
  const { db, clock, truth, provider, names } = parts;

  async function showOne(call: ActionCall, row: SubscriptionRow) {
    const [plans, organizations] = [await planNames(db), await names.getNames(call, [row.organization_id])];
    return showOperated(row, { plans, organizations, now: clock.now() });
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

  const act = createOperatorActions({ db, clock, requireAny, requireProvider, showOne });

  return {
    async listAllSubscriptions(call) {
      const { query, state, serviceId, cursor, limit } = call.query;
      const before = cursor === undefined ? undefined : readIdCursor(cursor);
      const select = (by: Pick<Wanted, "named" | "organizationIds">) =>
        listOfAll(db, { state, serviceId, ...by }, { before, limit });
      const named = query ? namedIn(query) : undefined;
      let rows = query && !named ? [] : await select({ named });
      // An unknown id may be a name.
      const found = query && !named?.id && rows.length === 0 ? await names.findByWords(call, query) : undefined;
      if (found) rows = await select({ organizationIds: found.ids });
      const plans = await planNames(db);
      const displayed = rows.slice(0, limit).map(({ organization_id }) => organization_id);
      const organizations = await names.getNames(call, displayed);
      const page = pageFrom(
        rows,
        limit,
        (row) => [row.id],
        (row) => showOperated(row, { plans, organizations, now: clock.now() }),
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
      const rows = await listSubscriptionPayments(db, row, { before, limit: query.limit + 1 });
      return await showPayments(db, rows, query.limit);
    },

    async askAboutAny(call) {
      const row = await requireAny(call);
      const requested = requireProvider();
      await call.record(db);
      const record: RecordChange = (transaction, ...changes) =>
        call.record(transaction, ...changes.map((one) => ({ ...one, organizationId: row.organization_id })));
      try {
        const cause = { userId: call.caller.userId, record, withPayments: row.provider_id !== null };
        return await showOne(call, await requested.truth.ask(row, cause));
      } catch (error) {
        throw error instanceof ProviderFailure ? providerIsAway(error, call.log) : error;
      }
    },

    suspendAny: (call) => act(call, "suspend"),
    activateAny: (call) => act(call, "activate"),
    cancelAny: (call) => act(call, "cancel"),
  };
}
