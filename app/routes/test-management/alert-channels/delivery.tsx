import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AlertDelivery } from "#contracts/test-analyzer/alert-deliveries.ts";
import { problemResponse, required } from "~/backend/responses";
import { stateWords } from "~/features/alerts/channel-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Page } from "~/shell/page/page";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { JsonView } from "~/ui/json-view/json-view";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { DeliveryState } from "./delivery-state";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.delivery.title ?? "Delivery"} · API Assurance` },
];

const list = href("/test-management/alert-channels");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testAnalyzer } = viewer.backend;
  const { channelId, deliveryId } = params as { channelId: string; deliveryId: string };
  const [channel, delivery] = await Promise.all([
    testAnalyzer.getChannel({ params: { channelId } }).then(required),
    testAnalyzer.getDelivery({ params: { deliveryId } }).then(required),
  ]);
  if (delivery.channelId !== channelId) throw new Response("No such delivery.", { status: 404 });
  const { name, kind } = channel;
  return { channel: { id: channelId, name, kind }, delivery, mayWrite: viewer.may("tests:write") };
}

/** Sends it again. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const { channelId, deliveryId } = params as { channelId: string; deliveryId: string };
  const here = href("/test-management/alert-channels/:channelId/deliveries/:deliveryId", { channelId, deliveryId });
  const sent = await backend.testAnalyzer.sendDeliveryAgain({ params: { deliveryId } });
  if (sent.ok) return redirectWithToast(context, here, "Sent again. Reload the page to see the result.");
  if (sent.status !== 409) throw problemResponse(sent.problem);
  return redirectWithToast(context, here, { message: sent.problem.detail, variant: "info" });
}

export default function Delivery() {
  const { channel, delivery, mayWrite } = useLoaderData<typeof loader>();
  const { id, title, state, detail, status, tries, createdAt, triedAt, notBefore } = delivery;
  const here = href("/test-management/alert-channels/:channelId", { channelId: channel.id });
  const isWebhook = channel.kind === "webhook";
  return (
    <Page>
      <PageHeading
        title={title}
        mark={<DeliveryState state={state} />}
        breadcrumbs={[
          { label: "Alert channels", href: list },
          { label: channel.name, href: here },
          { label: "Delivery" },
        ]}
        actions={mayWrite && isEnded(delivery) && <SendAgain isWebhook={isWebhook} />}
      />
      <Card>
        <DefinitionList
          items={[
            delivery.incidents.length > 0 && {
              term: delivery.incidents.length === 1 ? "Incident" : "Incidents",
              value: <IncidentLinks incidents={delivery.incidents} />,
            },
            { term: "Outcome", value: detail ?? stateWords[state].meaning },
            notBefore !== null && state === "held" && { term: "Held until", value: <Moment value={notBefore} /> },
            { term: "Made", value: <Moment value={createdAt} precise /> },
            triedAt !== null && { term: "Last attempt", value: <Moment value={triedAt} precise /> },
            { term: "Tries", value: tries },
            status !== null && { term: "Status", value: `HTTP ${status}` },
            isWebhook && { term: "webhook-id", value: <code>{id}</code> },
          ]}
        />
      </Card>
      <Card
        title={channel.kind === "mail" ? "The email" : "The request's body"}
        description={isWebhook && <a href={href("/alert-webhooks")}>What the body says, and how it is signed</a>}
      >
        {channel.kind === "mail" ? (
          <CodeBlock label="Text of the email" labelHidden code={delivery.body} wrap />
        ) : (
          <RequestBody text={delivery.body} />
        )}
      </Card>
    </Page>
  );
}

/** A template's body need not be JSON. */
function RequestBody({ text }: { text: string }) {
  if (!/^\s*[[{]/.test(text)) return <CodeBlock label="Body of the request" labelHidden code={text} wrap />;
  return <JsonView id="body" label="Body of the request" text={text} openLevels={6} />;
}

function IncidentLinks({ incidents }: { incidents: readonly { id: string; title: string }[] }) {
  return (
    <Stack gap="tiny">
      {incidents.map(({ id, title }) => (
        <a key={id} href={href("/test-management/incidents/:incidentId", { incidentId: id })}>
          {title}
        </a>
      ))}
    </Stack>
  );
}

const isEnded = ({ state }: AlertDelivery) => state !== "held" && state !== "waiting";

function SendAgain({ isWebhook }: { isWebhook: boolean }) {
  return (
    <form method="post">
      <Button icon="refresh" title={isWebhook ? "The same body under the same webhook-id" : undefined}>
        Send again
      </Button>
    </form>
  );
}
