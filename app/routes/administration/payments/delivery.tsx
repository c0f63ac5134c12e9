import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { DifferenceTable } from "~/features/subscriptions/difference-table";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { effectWords, eventWords, outcomeWords } from "./delivery-words";
import { toResultToast } from "./result-toast";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? eventWords(data.delivery) : "Delivery"} · API Assurance` },
];

const list = href("/administration/system/paypal-deliveries");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { portalService } = (await requireViewer(request, context)).backend;
  const paymentDeliveryId = String(params.paymentDeliveryId);
  const [delivery, plans] = await Promise.all([
    portalService.getDelivery({ params: { paymentDeliveryId } }).then(required),
    portalService.listOperatedPlans().then(available),
  ]);
  return {
    delivery,
    planNames: Object.fromEntries((plans?.items ?? []).map(({ serviceId, name }) => [serviceId, name])),
  };
}

/** Queries PayPal for the resource of the delivery. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { portalService } = (await requireViewer(request, context)).backend;
  const paymentDeliveryId = String(params.paymentDeliveryId);
  const { subscriptionId } = required(await portalService.getDelivery({ params: { paymentDeliveryId } }));
  if (!subscriptionId) throw new Response("Not one of our subscriptions.", { status: 400 });
  const result = required(await portalService.askAboutAny({ params: { subscriptionId } }));
  const page = href("/administration/system/subscriptions/:subscriptionId", { subscriptionId });
  return redirectWithToast(context, page, toResultToast(result));
}

export default function Delivery() {
  const { delivery, planNames } = useLoaderData<typeof loader>();
  const { id, outcome, providerId, subscriptionId, times, receivedAt, lastReceivedAt, answeredAt, differences } =
    delivery;
  const title = eventWords(delivery);
  return (
    <>
      <PageHeading
        title={title}
        mark={<Badge tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].name}</Badge>}
        breadcrumbs={[{ label: "PayPal's deliveries", href: list }, { label: title }]}
        actions={
          subscriptionId && (
            <form method="post">
              <Button icon="refresh">Check with PayPal again</Button>
            </form>
          )
        }
      />
      <Card title="Delivery">
        <DefinitionList
          items={[
            { term: "Outcome", value: effectWords(delivery) },
            { term: "Received", value: <Moment value={receivedAt} precise /> },
            times > 1 && {
              term: "Duplicates",
              value: (
                <>
                  {times} times in all, last <Moment value={lastReceivedAt} precise />. Duplicates are ignored.
                </>
              ),
            },
            answeredAt !== null && { term: "PayPal responded", value: <Moment value={answeredAt} precise /> },
            subscriptionId !== null && {
              term: "Concerns",
              value: (
                <a href={href("/administration/system/subscriptions/:subscriptionId", { subscriptionId })}>
                  the subscription <code>{providerId}</code>
                </a>
              ),
            },
            subscriptionId === null && providerId !== null && { term: "Concerns", value: <code>{providerId}</code> },
            { term: outcome === "believed" ? "PayPal's number" : "Our number", value: <code>{id}</code> },
          ]}
        />
      </Card>
      {differences.length > 0 && (
        <Card title="Changes from PayPal's data" flush>
          <DifferenceTable caption="Changes from PayPal's data" {...{ differences, planNames }} />
        </Card>
      )}
    </>
  );
}
