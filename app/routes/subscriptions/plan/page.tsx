import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { available, isAway, required } from "~/backend/responses";
import { amountWords, moneyWords, toDecimal } from "~/features/plans/plan-words";
import { useDayWords } from "~/features/time-zone/day-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { type Change, findChange, whenWords } from "./change-words";
import { findTooMuch, type TooMuch } from "./what-fits";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? data.change.title : "Change of plan"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService, testRegistry } = viewer.backend;
  const subscriptionId = String(params.subscriptionId);
  const serviceId = new URL(request.url).searchParams.get("serviceId");
  const [subscription, { items: plans }, usage, intervals] = await Promise.all([
    portalService.getSubscription({ params: { subscriptionId } }).then(required),
    portalService.listPricing().then(required),
    portalService.getUsage().then(available),
    testRegistry.countScheduleIntervals().then(available),
  ]);
  const plan = plans.find((one) => one.serviceId === serviceId) ?? ownPlan(subscription, serviceId);
  if (!plan) throw new Response("No such plan.", { status: 404 });
  const isUnchanged = plan.serviceId === subscription.serviceId;
  return {
    subscription,
    plan,
    change: findChange(subscription, plan),
    // The current use fits what the plan allows.
    tooMuch:
      isUnchanged || !plan.limits ? [] : usage && intervals && findTooMuch(plan.limits, usage.items, intervals.items),
  };
}

/** Subscribers keep their plan, even one that is no longer offered. */
function ownPlan({ serviceId, serviceName, price }: Subscription, wanted: string | null) {
  if (serviceId !== wanted) return undefined;
  const amount = String(toDecimal(price));
  return { serviceId, name: serviceName, price: { amount, currency: price.currency, interval: "month" }, limits: null };
}

/** Requests the plan at PayPal. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const given = { params: { subscriptionId: String(params.subscriptionId) } };
  const page = href("/subscriptions/:subscriptionId", given.params);
  const form = await readForm(request);
  const serviceId = String(form.get("serviceId") ?? "");
  const result = await portalService.createPlanChange({ ...given, body: { serviceId } });
  if (result.ok && result.value.pendingChange)
    return redirectWithToast(context, page, {
      ...(result.value.pendingChange.approveUrl
        ? { message: "Approve the change at PayPal for it to take effect.", variant: "info" }
        : { message: "PayPal is not responding. Nothing is charged, and we keep trying.", variant: "warning" }),
    });
  if (result.ok) return redirectWithToast(context, page, `The plan is ${result.value.serviceName}.`);
  if (result.status === 409)
    return redirectWithToast(context, page, { message: result.problem.detail, variant: "warning" });
  if (isAway(result)) return redirectWithToast(context, page, { message: result.problem.detail, variant: "warning" });
  return required(result);
}

export default function PlanChange() {
  const { subscription, plan, change, tooMuch } = useLoaderData<typeof loader>();
  const day = useDayWords();
  const back = href("/subscriptions/:subscriptionId", { subscriptionId: subscription.id });
  return (
    <Page>
      <PageHeading
        title={change.title}
        breadcrumbs={[
          { label: "Billing", href: href("/billing") },
          { label: `Subscription to ${subscription.serviceName}`, href: back },
          { label: change.title },
        ]}
        description={`You have ${subscription.serviceName} for ${moneyWords(subscription.price)} a month.`}
      />
      {change.obstacle ? (
        <Notice
          tone="warning"
          title={change.obstacle}
          actions={<LinkButton href={back}>Show the subscription</LinkButton>}
        />
      ) : (
        <>
          <Card title="When it takes effect and what it costs">
            <Stack gap="small">
              {whenWords(subscription, change, day).map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </Stack>
          </Card>
          <WhatFits planName={plan.name} tooMuch={tooMuch} isUnchanged={change.kind === "keep"} />
          {/* Changing to a free plan means cancelling, which the subscription's page does. */}
          <Form method="post" action={change.kind === "cancel" ? back : undefined}>
            <input type="hidden" name="serviceId" value={plan.serviceId} />
            <Row>
              <Confirm change={change} price={`${amountWords(plan.price)} a ${plan.price.interval}`} />
              <LinkButton href={back}>Keep everything as it is</LinkButton>
            </Row>
          </Form>
        </>
      )}
    </Page>
  );
}

function Confirm({ change, price }: { change: Change; price: string }) {
  if (change.kind === "cancel")
    return (
      <Button name="intent" value="cancel" variant="danger">
        Cancel the subscription
      </Button>
    );
  return (
    <Button name="intent" value="change" variant="primary">
      {change.kind === "keep" ? change.title : `Change to ${change.planName} for ${price}`}
    </Button>
  );
}

function WhatFits(props: { planName: string; tooMuch: TooMuch[] | undefined; isUnchanged: boolean }) {
  const { planName, tooMuch, isUnchanged } = props;
  if (isUnchanged) return null;
  if (!tooMuch)
    return (
      <Notice tone="warning" title={`We can't check right now what would not fit into ${planName}`}>
        Anything above the limits stays readable and can be exported. Nothing is deleted.
      </Notice>
    );
  if (tooMuch.length === 0)
    return (
      <Notice tone="success" title={`Your usage fits into ${planName}`}>
        Nothing is deleted, and schedules continue.
      </Notice>
    );
  return (
    <Card
      title={`What does not fit into ${planName}`}
      description="It stays readable and can be exported. Nothing is deleted, and results are kept as long as before."
      flush
    >
      <Table
        bare
        caption={`What does not fit into ${planName}`}
        captionHidden
        rows={tooMuch}
        rowKey={({ key }) => key}
        columns={[
          { key: "label", header: "What", cell: ({ label }) => label, rowHeader: true },
          { key: "has", header: "You have", cell: ({ has }) => has },
          { key: "allowed", header: `${planName} allows`, cell: ({ allowed }) => allowed },
          { key: "outcome", header: "What happens to it", cell: ({ outcome }) => outcome },
        ]}
      />
    </Card>
  );
}
