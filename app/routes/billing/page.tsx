import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import type { ServicePricing } from "#contracts/portal-service/plans.ts";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { available, required } from "~/backend/responses";
import { ExecutionPlots } from "~/features/plans/execution-plots";
import { PlanCard, PlanCards } from "~/features/plans/plan-card";
import { offerWords } from "~/features/plans/plan-words";
import { UsagePlot } from "~/features/plans/usage-plot";
import { PaymentTable } from "~/features/subscriptions/payment-table";
import { getStateWords, stateNames, stateTones } from "~/features/subscriptions/state-words";
import { useDayWords } from "~/features/time-zone/day-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { SubscriptionTable } from "./subscription-table";

export const meta: MetaFunction = () => [{ title: "Billing · API Assurance" }];

const displayedSubscriptions = 10;
const displayedPayments = 12;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const paymentsCursor = search.get("payments") || undefined;
  const [organization, { items: plans }, usage, executions, subscriptions, payments, provider] = await Promise.all([
    portalService.getCurrentOrganization().then(required),
    portalService.listPricing().then(required),
    portalService.getUsage().then(available),
    portalService.getExecutionHistory().then(available),
    portalService.listSubscriptions({ query: { cursor, limit: displayedSubscriptions } }).then(required),
    portalService.listPayments({ query: { cursor: paymentsCursor, limit: displayedPayments } }).then(required),
    portalService.getPaymentProvider().then(required),
  ]);
  return {
    organizationName: organization.name,
    operates: organization.operates,
    // The plan chosen in the pricing section or at registration; ignored after the first subscription.
    pickedId: search.get("serviceId") ?? (subscriptions.getsTrial ? organization.serviceId : null),
    // Organizations that had a trial are offered the price without one.
    plans: subscriptions.getsTrial ? plans : plans.map((plan) => ({ ...plan, trialDays: 0 })),
    planId: usage?.plan?.serviceId,
    planName: usage?.plan?.name,
    usage: usage?.items ?? [],
    ...{ executions, subscriptions, payments, address: request.url, cursor, paymentsCursor },
    provider: provider.provider,
  };
}

/** Subscribes to a plan; the plan's page leads to PayPal. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const serviceId = String(form.get("serviceId") ?? "");
  const result = await viewer.backend.portalService.createSubscription({ body: { serviceId } });
  if (!result.ok && result.status === 409)
    return redirectWithToast(context, href("/billing"), {
      message: "You already have a subscription. Change its plan instead.",
      variant: "warning",
    });
  const { id: subscriptionId, approveUrl } = required(result);
  return redirectWithToast(context, href("/subscriptions/:subscriptionId", { subscriptionId }), {
    message: approveUrl
      ? "Approve the subscription at PayPal to activate it."
      : "PayPal is not responding. Nothing is charged; we keep trying, and you can approve the subscription here once PayPal responds.",
    variant: approveUrl ? "info" : "warning",
  });
}

const showLink = (subscriptionId: string, words: string) => (
  <LinkButton href={href("/subscriptions/:subscriptionId", { subscriptionId })} fullWidth>
    {words}
  </LinkButton>
);

/** Moves an active subscription to another plan; the plan's page explains the change and asks for confirmation. */
function changeTo(live: Subscription, { serviceId, name }: ServicePricing) {
  const { id: subscriptionId, plannedChange, pendingChange } = live;
  if (serviceId === live.serviceId && !plannedChange) return showLink(subscriptionId, "Your subscription");
  if ([plannedChange?.serviceId, pendingChange?.serviceId].includes(serviceId))
    return showLink(subscriptionId, "Show the change");
  return (
    <LinkButton href={href("/subscriptions/:subscriptionId/plan", { subscriptionId }, { serviceId })} fullWidth>
      {serviceId === live.serviceId ? `Keep ${name}` : `Change to ${name}`}
    </LinkButton>
  );
}

export default function Billing() {
  const {
    organizationName,
    operates,
    pickedId,
    plans,
    planId,
    planName,
    usage,
    executions,
    subscriptions,
    payments,
    address,
    cursor,
    paymentsCursor,
    provider,
  } = useLoaderData<typeof loader>();
  const day = useDayWords();
  const { items } = subscriptions;
  const live = items.find(({ state }) => state !== "CANCELLED" && state !== "EXPIRED");
  const displayed = live ?? items.find(({ isEntitled }) => isEntitled);
  const plan = plans.find(({ serviceId }) => serviceId === planId);
  const isUnlimited = operates && !planId;
  const picked = live ? undefined : plans.find(({ serviceId }) => serviceId === pickedId && serviceId !== planId);

  function actionFor(one: ServicePricing) {
    if (live && live.state !== "PENDING_APPROVAL") return changeTo(live, one);
    if (one.serviceId === live?.serviceId) return showLink(live.id, "Your subscription");
    if (Number(one.price.amount) === 0) return undefined;
    if (!provider) return undefined;
    return (
      <Form method="post">
        <input type="hidden" name="serviceId" value={one.serviceId} />
        <Button type="submit" variant="primary" fullWidth>
          Subscribe to {one.name}
        </Button>
      </Form>
    );
  }

  function getMark({ serviceId }: ServicePricing) {
    if (serviceId === planId) return "Your plan";
    if (serviceId === picked?.serviceId) return "Selected";
    const planned = live?.plannedChange;
    if (planned?.serviceId === serviceId) return `From ${day(planned.countsAt)}`;
    return live?.pendingChange?.serviceId === serviceId ? "Waiting for approval" : undefined;
  }

  return (
    <Page>
      <PageHeading
        title="Billing"
        description={`Plan and usage of ${organizationName}.`}
        actions={<LinkButton href={href("/billing/address")}>Billing address</LinkButton>}
      />
      {provider?.isSandbox && (
        <Notice tone="info" title="Sandbox">
          PayPal is not configured on this installation, so a sandbox takes its place. No money moves.
        </Notice>
      )}
      {picked && Number(picked.price.amount) > 0 && provider && (
        <Notice tone="info" title={`You picked ${picked.name}: ${offerWords(picked)}`} actions={actionFor(picked)}>
          It starts as soon as you approve it at PayPal. Until then, nothing is charged
          {plan ? `, and you are on ${plan.name}.` : "."}
        </Notice>
      )}
      <Card
        title={isUnlimited ? "No limits" : (planName ?? "Your plan")}
        description={
          displayed
            ? getStateWords(displayed, day)
            : isUnlimited
              ? `${organizationName} operates this installation, so it needs no plan.`
              : plan && "It costs nothing."
        }
        actions={
          displayed && (
            <>
              <Badge tone={stateTones[displayed.state]}>{stateNames[displayed.state]}</Badge>
              <LinkButton href={href("/subscriptions/:subscriptionId", { subscriptionId: displayed.id })}>
                Show the subscription
              </LinkButton>
            </>
          )
        }
      >
        <Stack gap="section">
          {usage.length > 0 && <UsagePlot items={usage} />}
          {executions && <ExecutionPlots history={executions} />}
        </Stack>
      </Card>
      <section aria-labelledby="plans">
        <Stack>
          <div>
            <h2 id="plans">Plans</h2>
            <p>
              {!provider
                ? "Payments are not set up on this installation, so paid plans are not available. Its operator can set them up."
                : live?.state === "SUSPENDED"
                  ? live.heldBecause === null
                    ? "Payments failed. You can change the plan once they go through again."
                    : "The portal's operator suspended your subscription. You can change the plan once it is active again."
                  : live?.state === "ACTIVE"
                    ? `A more expensive plan takes effect immediately, any other ${live.isOnTrial ? "when your trial ends" : "at the end of the period you have paid for"}. You see what would no longer fit before anything changes.`
                    : "Nothing is charged until you approve it at PayPal."}
            </p>
          </div>
          <PlanCards>
            {plans.map((one) => (
              <PlanCard key={one.serviceId} plan={one} mark={getMark(one)} action={actionFor(one)} />
            ))}
          </PlanCards>
        </Stack>
      </section>
      {(items.length > 0 || cursor) && (
        <Card title="Subscriptions" flush>
          <SubscriptionTable subscriptions={items} />
        </Card>
      )}
      <CursorPages label="Pages of subscriptions" {...{ address, cursor }} nextCursor={subscriptions.nextCursor} />
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
    </Page>
  );
}
