import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { DifferenceTable } from "~/features/subscriptions/difference-table";
import { organizationWords } from "~/features/subscriptions/operated-subscription-table";
import { PaymentTable } from "~/features/subscriptions/payment-table";
import { stateNames, stateTones } from "~/features/subscriptions/state-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ActionForm, ActionLinks, findAction } from "./action-form";
import { DeliveryTable } from "./delivery-table";
import { handleSubscriptionAction } from "./subscription-action.server";
import { SubscriptionDetails } from "./subscription-details";
import { SubscriptionHistory } from "./subscription-history";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data ? `${organizationWords(data.subscription.organization)}, ${data.subscription.serviceName}` : "Subscription"} · API Assurance`,
  },
];

const displayedPayments = 12;
const displayedDeliveries = 5;
const list = href("/administration/system/subscriptions");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { portalService } = (await requireViewer(request, context)).backend;
  const subscriptionId = String(params.subscriptionId);
  const search = new URL(request.url).searchParams;
  const [cursor, paymentsCursor] = [search.get("cursor") || undefined, search.get("payments") || undefined];
  const of = { params: { subscriptionId } };
  const [subscription, entries, payments, plans, deliveries] = await Promise.all([
    portalService.getAnySubscription(of).then(required),
    portalService.listEntriesOfAny({ ...of, query: { cursor } }).then(required),
    portalService
      .listPaymentsOfAny({ ...of, query: { cursor: paymentsCursor, limit: displayedPayments } })
      .then(required),
    portalService.listOperatedPlans().then(available),
    portalService.listDeliveries({ query: { subscriptionId, limit: displayedDeliveries } }).then(available),
  ]);
  return {
    ...{ subscription, entries, payments, deliveries, cursor, paymentsCursor },
    planNames: Object.fromEntries((plans?.items ?? []).map(({ serviceId, name }) => [serviceId, name])),
    here: href("/administration/system/subscriptions/:subscriptionId", { subscriptionId }),
    dialog: search.get("dialog"),
    address: request.url,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleSubscriptionAction(request, { viewer, context, subscriptionId: String(params.subscriptionId) });
}

export default function SubscriptionOfAny() {
  const { subscription, entries, payments, planNames, here, dialog, address, ...page } = useLoaderData<typeof loader>();
  const { cursor, paymentsCursor, deliveries } = page;
  const result = useActionData<typeof action>();
  const { organization, serviceName, state, answeredAt, differences } = subscription;
  const operatorAction = findAction(dialog, state);
  const title = `${organizationWords(organization)}, ${serviceName}`;
  return (
    <>
      <PageHeading
        title={title}
        mark={<Badge tone={stateTones[state]}>{stateNames[state]}</Badge>}
        breadcrumbs={[{ label: "Subscriptions", href: list }, { label: title }]}
        actions={
          <>
            {!operatorAction && <ActionLinks {...{ here, state }} />}
            <form method="post" action={here}>
              <Button name="intent" value="ask" icon="refresh">
                Check with PayPal again
              </Button>
            </form>
          </>
        }
      />
      {operatorAction && <ActionForm key={operatorAction} {...{ action: operatorAction, here, result, serviceName }} />}
      <Card title="Details">
        <SubscriptionDetails subscription={subscription} />
      </Card>
      {answeredAt && (
        <Card
          title="PayPal's latest response"
          description={
            <>
              <Moment value={answeredAt} />
              {differences.length === 0 && ". It changed nothing: everything was known."}
            </>
          }
          flush
        >
          {differences.length > 0 && (
            <DifferenceTable caption="Changes from PayPal's latest data" {...{ differences, planNames }} />
          )}
        </Card>
      )}
      <SubscriptionHistory entries={entries.items} />
      <CursorPages label="Pages of the history" {...{ address, cursor }} nextCursor={entries.nextCursor} />
      {(payments.items.length > 0 || paymentsCursor) && (
        <Card title="Payments" flush>
          <PaymentTable payments={payments.items} />
        </Card>
      )}
      <CursorPages
        label="Pages of payments"
        name="payments"
        address={address}
        cursor={paymentsCursor}
        nextCursor={payments.nextCursor}
      />
      {deliveries && deliveries.items.length > 0 && (
        <Card
          title="PayPal's deliveries"
          actions={
            deliveries.nextCursor && (
              <LinkButton href={href("/administration/system/paypal-deliveries", { subscriptionId: subscription.id })}>
                Show all
              </LinkButton>
            )
          }
          flush
        >
          <DeliveryTable bare deliveries={deliveries.items} />
        </Card>
      )}
    </>
  );
}
