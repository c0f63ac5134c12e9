import type { OperatedSubscription } from "#contracts/portal-service/operated-subscriptions.ts";
import { moneyWords } from "~/features/plans/plan-words";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Moment } from "~/ui/moment/moment";

/** Details for finding a subscription at PayPal or in the log. */
export function SubscriptionDetails({ subscription }: { subscription: OperatedSubscription }) {
  const { organization, userId, serviceName, price, providerId, providerPlanId, heldBecause, superseded } =
    subscription;
  const moment = (term: string, value: string | null) => value !== null && { term, value: <Moment value={value} /> };
  return (
    <DefinitionList
      items={[
        { term: "Organization", value: organization.name ?? <code>{organization.id}</code> },
        { term: "Plan", value: `${serviceName}, ${moneyWords(price)} a month` },
        moment("In this state since", subscription.stateChangedAt),
        heldBecause !== null && { term: "Suspended because", value: heldBecause },
        superseded && { term: "Replaced", value: "It was replaced before it was approved." },
        subscription.isOnTrial && moment("Trial until", subscription.trialEndsAt),
        moment("Next payment", subscription.nextBillingAt),
        moment("Plan limits apply until", subscription.entitledUntil),
        subscription.failedPayments > 0 && { term: "Failed payments", value: subscription.failedPayments },
        moment("Started", subscription.createdAt),
        moment("Next check with PayPal", subscription.askAt),
        { term: "Our number", value: <code>{subscription.id}</code> },
        { term: "PayPal's number", value: providerId ? <code>{providerId}</code> : "Not created at PayPal yet." },
        providerPlanId !== null && { term: "PayPal's number of the plan", value: <code>{providerPlanId}</code> },
        { term: "Organization's number", value: <code>{organization.id}</code> },
        { term: "Subscribed by", value: <code>{userId}</code> },
      ]}
    />
  );
}
