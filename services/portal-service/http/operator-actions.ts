import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { OperatedSubscription, OperatorAction } from "#contracts/portal-service/operated-subscriptions.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Call } from "../../kit/service/service.ts";
import { actionStates, maxActionMilliseconds } from "../domain/operator-action.ts";
import type { ObservedTruth } from "../jobs/observed-truth.ts";
import { type PaymentProvider, ProviderFailure } from "../payment/provider.ts";
import { lockSubscription, type SubscriptionRow, toActionColumns, updateSubscription } from "../store/subscriptions.ts";
import type { PortalDatabase } from "../store/tables.ts";
import { providerIsAway } from "./subscription-calls.ts";

export type ActionCall = Pick<Call<Endpoint>, "caller" | "requestId">;

type OperatorCall = ActionCall & {
  params: { subscriptionId: string };
  body: { reason: string };
  record: RecordChange;
  log: Call<Endpoint>["log"];
};

interface ActionParts {
  db: PortalDatabase;
  clock: Clock;
  requireAny(call: OperatorCall): Promise<SubscriptionRow>;
  requireProvider(): { truth: ObservedTruth; provider: PaymentProvider };
  showOne(call: ActionCall, row: SubscriptionRow): Promise<OperatedSubscription>;
}

/** Requests an operator's action on a subscription from the provider. */
export function createOperatorActions({ db, clock, requireAny, requireProvider, showOne }: ActionParts) {
  /**
   * Stored with its reason before the call to the provider: the first response that shows the action finds the
   * reason.
   */
  async function begin({ caller, body, record }: OperatorCall, found: SubscriptionRow, action: OperatorAction) {
    const { from, to } = actionStates[action];
    await db.transaction().execute(async (transaction) => {
      const row = await lockSubscription(transaction, found.organization_id, found.id);
      if (!row.provider_id || !from.includes(row.state))
        throw new Problem("conflict", "Its state has changed since. View again.");
      const endsAt = new Date(clock.now().getTime() + maxActionMilliseconds);
      const open = { state: to, because: body.reason, userId: caller.userId, endsAt };
      const { organization_id, id, state } = row;
      await updateSubscription(transaction, { organization_id, id, ...toActionColumns(open), ask_at: endsAt });
      const after = { state, wantedState: to, reason: body.reason };
      await record(transaction, { id, organizationId: organization_id, before: { state }, after });
    });
  }

  /**
   * A refused action did not take place: the provider has another state than the stored one, which is requested
   * soon. Any other outcome follows from its next response.
   */
  async function leave({ organization_id, id }: SubscriptionRow, error: unknown): Promise<never> {
    const now = clock.now();
    const isRefused = error instanceof ProviderFailure && error.kind === "refused";
    const left = isRefused ? { ...toActionColumns(undefined), ask_at: now } : { deed_ends_at: now };
    await updateSubscription(db, { organization_id, id, ...left });
    throw error;
  }

  /** Calls the provider first; its next response then decides the state. */
  return async function act(call: OperatorCall, action: OperatorAction) {
    const row = await requireAny(call);
    const { truth, provider } = requireProvider();
    await begin(call, row, action);
    const send = {
      suspend: provider.suspendSubscription,
      activate: provider.activateSubscription,
      cancel: provider.cancelSubscription,
    }[action];
    try {
      await send(row.provider_id!, call.body.reason).catch((error) => leave(row, error));
      return await showOne(call, await truth.ask(row, { userId: call.caller.userId }));
    } catch (error) {
      throw error instanceof ProviderFailure ? providerIsAway(error, call.log) : error;
    }
  };
}
