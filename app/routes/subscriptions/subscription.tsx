import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { available, isAway, required } from "~/backend/responses";
import { enoughWords, moneyWords, trialWords } from "~/features/plans/plan-words";
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
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Dialog } from "~/ui/dialog/dialog";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { PlanChangeNotices } from "./plan-change-notices";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `Subscription to ${data.subscription.serviceName}` : "Subscription"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const subscriptionId = String(params.subscriptionId);
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const [subscription, entries, provider, pricing] = await Promise.all([
    portalService.getSubscription({ params: { subscriptionId } }).then(required),
    portalService.listSubscriptionEntries({ params: { subscriptionId }, query: { cursor } }).then(required),
    portalService.getPaymentProvider().then(available),
    portalService.listPricing().then(available),
  ]);
  const plan = pricing?.items.find(({ serviceId }) => serviceId === subscription.serviceId);
  return {
    subscription,
    // Unknown for a plan that is no longer offered.
    limits: plan?.limits,
    entries: entries.items,
    nextCursor: entries.nextCursor,
    onLaterPage: Boolean(cursor),
    address: request.url,
    asksToCancel: search.get("dialog") === "cancel",
    isSandbox: provider?.provider?.isSandbox ?? false,
  };
}

/** Cancels it, reverts a change of plan, or queries PayPal for its status. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const subscriptionId = String(params.subscriptionId);
  const page = href("/subscriptions/:subscriptionId", { subscriptionId });
  const form = await readForm(request);
  switch (form.get("intent")) {
    case "cancel": {
      const result = await portalService.cancelSubscription({ params: { subscriptionId } });
      if (!result.ok && result.status === 409)
        return redirectWithToast(context, page, {
          message: "The subscription has just changed, so nothing was cancelled. Check its state and try again.",
          variant: "warning",
        });
      const { serviceName, isCancelling } = required(result);
      if (!isCancelling) return redirectWithToast(context, page, `The subscription to ${serviceName} is cancelled.`);
      return redirectWithToast(context, page, {
        message: "PayPal is not responding. We keep trying to cancel, and there is nothing you need to do.",
        variant: "warning",
      });
    }
    case "withdraw": {
      required(await portalService.withdrawPlanChange({ params: { subscriptionId } }));
      return redirectWithToast(context, page, "The change was withdrawn. Your plan stays the same.");
    }
    case "ask": {
      const result = await portalService.askProvider({ params: { subscriptionId } });
      if (!result.ok && isAway(result))
        return redirectWithToast(context, page, {
          message: "PayPal is not responding. We will try again automatically.",
          variant: "warning",
        });
      const { state } = required(result);
      return redirectWithToast(context, page, {
        message: `PayPal says: ${stateNames[state].toLowerCase()}.`,
        variant: "info",
      });
    }
  }
  throw new Response("No such action.", { status: 400 });
}

export default function SubscriptionPage() {
  const { subscription, limits, entries, nextCursor, onLaterPage, address, asksToCancel, isSandbox } =
    useLoaderData<typeof loader>();
  const day = useDayWords();
  const enough = limits && enoughWords(limits);
  const { serviceName, state, price, approveUrl, isCancelling, trialDays, isOnTrial } = subscription;
  const waitsForPayPal = state === "PENDING_APPROVAL" && !approveUrl;
  const availableUntil = isOnTrial
    ? `You keep ${serviceName} until your trial ends. `
    : subscription.nextBillingAt
      ? "You keep what you have paid for until the next payment would have been due. "
      : "";
  const isLive = state === "PENDING_APPROVAL" || state === "ACTIVE" || state === "SUSPENDED";
  return (
    <Page>
      <PageHeading
        title={`Subscription to ${serviceName}`}
        breadcrumbs={[{ label: "Billing", href: href("/billing") }, { label: `Subscription to ${serviceName}` }]}
        description={getStateWords(subscription, day)}
        actions={
          approveUrl && (
            <LinkButton href={approveUrl} variant="primary">
              Approve at PayPal
            </LinkButton>
          )
        }
      />
      {isSandbox && (
        <Notice tone="info" title="Sandbox">
          PayPal is not configured on this installation, so a sandbox takes its place. No money moves.
        </Notice>
      )}
      {waitsForPayPal && (
        <Notice tone="warning" title="Waiting for PayPal">
          PayPal has not responded yet, or is still processing your approval. We will check again automatically.
        </Notice>
      )}
      {isCancelling && (
        <Notice tone="warning" title="Cancellation in progress">
          PayPal has not confirmed the cancellation yet. We keep checking, and there is nothing you need to do.
        </Notice>
      )}
      <PlanChangeNotices subscription={subscription} />
      <Card
        title="State"
        actions={
          <>
            {isLive && (
              <Form method="post">
                <Button name="intent" value="ask">
                  {waitsForPayPal ? "Try again" : "Check with PayPal"}
                </Button>
              </Form>
            )}
            {state === "ACTIVE" && !isCancelling && (
              <LinkButton href={`${href("/billing")}#plans`}>Change the plan</LinkButton>
            )}
            {isLive && !isCancelling && (
              <LinkButton href={listAddress(address, { dialog: "cancel" })} variant="danger">
                Cancel the subscription
              </LinkButton>
            )}
          </>
        }
      >
        <DefinitionList
          items={[
            { term: "State", value: <Badge tone={stateTones[state]}>{stateNames[state]}</Badge> },
            { term: "Since", value: <Moment value={subscription.stateChangedAt} /> },
            { term: "Plan", value: serviceName },
            enough !== undefined && { term: "Executions", value: enough },
            { term: "Price", value: `${moneyWords(price)} a month` },
            state === "PENDING_APPROVAL" && trialDays > 0 && { term: "Trial", value: trialWords(trialDays) },
            isOnTrial &&
              state === "ACTIVE" && { term: "Trial until", value: <Moment value={subscription.trialEndsAt!} /> },
            subscription.nextBillingAt !== null && {
              term: isOnTrial ? "First payment" : "Next payment",
              value: <Moment value={subscription.nextBillingAt} />,
            },
            subscription.entitledUntil !== null && {
              term: "Plan limits apply until",
              value: <Moment value={subscription.entitledUntil} />,
            },
            subscription.failedPayments > 0 && { term: "Failed payments", value: subscription.failedPayments },
            { term: "Subscribed", value: <Moment value={subscription.createdAt} /> },
          ]}
        />
      </Card>
      <Card title="History" flush>
        <Table
          bare
          caption="What happened to this subscription, newest first"
          captionHidden
          rows={entries}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "at",
              header: "When",
              cell: ({ at }) => <Moment value={at} />,
              rowHeader: true,
            },
            {
              key: "state",
              header: "State",
              selfEvident: true,
              beside: true,
              cell: ({ state }) => <Badge tone={stateTones[state]}>{stateNames[state]}</Badge>,
            },
            { key: "text", header: "What happened", selfEvident: true, cell: ({ text }) => text },
          ]}
        />
      </Card>
      <CursorPages label="Pages of the history" {...{ address, nextCursor }} cursor={onLaterPage} />
      {asksToCancel && isLive && !isCancelling && (
        <Dialog
          title={`Cancel the subscription to ${serviceName}?`}
          message={
            state === "PENDING_APPROVAL"
              ? "You have not approved it yet, so nothing was charged and nothing is lost."
              : `It is cancelled at PayPal immediately, and nothing more is charged. ${availableUntil}After that, the limits of Free apply: anything beyond them stays readable, and schedules pause. Nothing is deleted.`
          }
          cancelName="Keep it"
          cancelHref={listAddress(address, { dialog: undefined })}
          actions={[{ name: "Cancel the subscription", value: "cancel", style: "danger" }]}
        />
      )}
    </Page>
  );
}
