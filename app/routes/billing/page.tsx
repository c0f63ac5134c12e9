import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/answers";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { PlanCard, PlanCards } from "~/plans/plan-card";
import { priceWords } from "~/plans/plan-words";
import { PaymentTable } from "~/routes/subscriptions/payment-table";
import { standingWords, stateNames, stateTones } from "~/routes/subscriptions/state-words";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { listAddress } from "~/shell/list-address";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import type { ServicePricing } from "../../../services/portal-service/contract/plans.ts";
import { SubscriptionTable } from "./subscription-table";
import { UsageList } from "./usage-list";

export const meta: MetaFunction = () => [{ title: "Billing · API Assurance" }];

const shownSubscriptions = 10;
const shownPayments = 12;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const paymentsCursor = search.get("payments") || undefined;
  const [organization, { items: plans }, usage, subscriptions, payments, provider] = await Promise.all([
    portalService.getCurrentOrganization().then(required),
    portalService.listPricing().then(required),
    portalService.getUsage().then(available),
    portalService.listSubscriptions({ query: { cursor, limit: shownSubscriptions } }).then(required),
    portalService.listPayments({ query: { cursor: paymentsCursor, limit: shownPayments } }).then(required),
    portalService.getPaymentProvider().then(required),
  ]);
  return {
    organizationName: organization.name,
    chosen: plans.find(({ serviceId }) => serviceId === organization.serviceId),
    plans,
    usage: usage?.items ?? [],
    ...{ subscriptions, payments, address: request.url, cursor, paymentsCursor },
    provider: provider.provider,
  };
}

/** Subscribes to a plan; its page leads on to PayPal. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const serviceId = String(form.get("serviceId") ?? "");
  const answer = await viewer.backend.portalService.createSubscription({ body: { serviceId } });
  if (!answer.ok && answer.status === 409)
    return redirectWithToast(context, href("/billing"), {
      message: "There is a subscription already. Cancel it before you take another plan.",
      variant: "warning",
    });
  const { id: subscriptionId } = required(answer);
  return redirectWithToast(context, href("/subscriptions/:subscriptionId", { subscriptionId }), {
    message: "Approve it at PayPal, and it is active.",
    variant: "info",
  });
}

/** Where nothing is sold, those who run the portal arrange a plan on request. */
const contactAbout = (subject: string) => href("/contact", { subject });

export default function Billing() {
  const { organizationName, chosen, plans, usage, subscriptions, payments, address, cursor, paymentsCursor, provider } =
    useLoaderData<typeof loader>();
  const { items } = subscriptions;
  const live = items.find(({ state }) => state !== "CANCELLED" && state !== "EXPIRED");
  const shown = live ?? items.find(({ isEntitled }) => isEntitled);
  const isPaid = shown !== undefined && shown.state !== "PENDING_APPROVAL";
  const free = plans.find(({ price }) => Number(price.amount) === 0);
  const plan = isPaid ? plans.find(({ serviceId }) => serviceId === shown.serviceId) : items.length > 0 ? free : chosen;

  function actionFor(one: ServicePricing) {
    if (one.serviceId === live?.serviceId)
      return (
        <LinkButton href={href("/subscriptions/:subscriptionId", { subscriptionId: live.id })}>
          Your subscription
        </LinkButton>
      );
    if (Number(one.price.amount) === 0) return undefined;
    if (!provider)
      return (
        <LinkButton href={contactAbout(`Change to the plan ${one.name}`)} fullWidth>
          Request {one.name}
        </LinkButton>
      );
    if (live && live.state !== "PENDING_APPROVAL") return undefined;
    return (
      <Form method="post">
        <input type="hidden" name="serviceId" value={one.serviceId} />
        <Button type="submit" variant="primary" fullWidth>
          Subscribe to {one.name}
        </Button>
      </Form>
    );
  }

  return (
    <>
      <WorkspaceNav path={href("/billing")} />
      <Page>
        <PageHeading title="Billing" description={`The plan of ${organizationName}, and what is used of it.`} />
        {provider?.isSandbox && (
          <Notice tone="info" title="Sandbox">
            No PayPal is configured on this installation, so a sandbox stands in for it. No money moves.
          </Notice>
        )}
        <Card
          title={plan ? plan.name : "No plan chosen yet"}
          description={
            shown
              ? standingWords(shown)
              : plan
                ? priceWords(plan.price)
                : "Choose one below: it says how much you can register, test and keep."
          }
          actions={
            shown && (
              <>
                <Badge tone={stateTones[shown.state]}>{stateNames[shown.state]}</Badge>
                <LinkButton href={href("/subscriptions/:subscriptionId", { subscriptionId: shown.id })}>
                  Show the subscription
                </LinkButton>
              </>
            )
          }
        >
          <UsageList usage={usage} />
        </Card>
        <section aria-labelledby="plans">
          <Stack>
            <div>
              <h2 id="plans">Plans</h2>
              <p>
                {live && live.state !== "PENDING_APPROVAL"
                  ? `To take another plan, cancel ${live.serviceName} first: what you have paid for stays until it is over.`
                  : "Nothing is charged before you have approved it at PayPal."}
              </p>
            </div>
            <PlanCards>
              {plans.map((one) => (
                <PlanCard
                  key={one.serviceId}
                  plan={one}
                  mark={one.serviceId === plan?.serviceId ? "Your plan" : undefined}
                  action={actionFor(one)}
                />
              ))}
            </PlanCards>
          </Stack>
        </section>
        {(items.length > 0 || cursor) && (
          <Card title="Subscriptions" flush>
            <SubscriptionTable subscriptions={items} />
          </Card>
        )}
        <Pagination
          label="Pages of subscriptions"
          firstHref={cursor ? listAddress(address, { cursor: undefined }) : undefined}
          nextHref={subscriptions.nextCursor ? listAddress(address, { cursor: subscriptions.nextCursor }) : undefined}
        />
        {(payments.items.length > 0 || paymentsCursor) && (
          <Card title="Payments" flush>
            <PaymentTable payments={payments.items} />
          </Card>
        )}
        <Pagination
          label="Pages of payments"
          firstHref={paymentsCursor ? listAddress(address, { payments: undefined }) : undefined}
          nextHref={payments.nextCursor ? listAddress(address, { payments: payments.nextCursor }) : undefined}
        />
      </Page>
    </>
  );
}
