import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import { required } from "~/backend/responses";
import { describeTarget, kindWords } from "~/features/alerts/channel-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { Row, Stack } from "~/ui/layout/layout";
import { ListPage } from "~/ui/list-page/list-page";
import { Moment } from "~/ui/moment/moment";
import { oneLine } from "~/ui/table/one-line.css";
import { Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import { DeliveryState } from "./delivery-state";

export const meta: MetaFunction = () => [{ title: "Alert channels · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.testAnalyzer.listChannels({ query: { query, cursor } }));
  return {
    asked: { query, cursor },
    address: request.url,
    channels: page.items,
    nextCursor: page.nextCursor,
    mayWrite: viewer.may("tests:write"),
  };
}

export default function AlertChannels() {
  const { asked, address, channels, nextCursor, mayWrite } = useLoaderData<typeof loader>();
  return (
    <Page>
      <ListPage
        title="Alert channels"
        description="Where alerts go when an API fails and recovers."
        one="channel"
        many="channels"
        {...{ requested: asked, address, nextCursor }}
        create={mayWrite && { href: href("/test-management/alert-channels/create"), label: "Create a channel" }}
        searchLabel="Search by name"
        isEmpty={channels.length === 0}
        nothingYet={{
          title: "No channels yet",
          illustration: "alerts",
          children:
            "A channel brings alerts to people by email, to a chat (Slack, Teams, Discord, Google Chat, Telegram), to PagerDuty, or to a server of yours.",
        }}
      >
        <ChannelTable channels={channels} />
      </ListPage>
    </Page>
  );
}

function ChannelTable({ channels }: { channels: readonly AlertChannel[] }) {
  return (
    <Table
      caption="Alert channels by name"
      captionHidden
      rows={channels}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "name",
          header: "Name",
          rowHeader: true,
          cell: ({ id, name }) => (
            <a href={href("/test-management/alert-channels/:channelId", { channelId: id })} className={oneLine}>
              {name}
            </a>
          ),
        },
        { key: "kind", header: "Type", selfEvident: true, cell: ({ kind }) => kindWords[kind] },
        { key: "target", header: "To", selfEvident: true, clipped: true, cell: describeTarget },
        {
          key: "state",
          header: "State",
          beside: true,
          selfEvident: true,
          cell: ({ enabled }) => (enabled ? <span className={wideOnly}>On</span> : <Badge icon="pause">Off</Badge>),
        },
        {
          key: "last",
          header: "Last delivery",
          selfEvident: true,
          cell: ({ lastDelivery }) => <LastDelivery delivery={lastDelivery} />,
        },
      ]}
    />
  );
}

function LastDelivery({ delivery }: { delivery: AlertChannel["lastDelivery"] }) {
  if (!delivery) return "No deliveries yet";
  const { state, detail, createdAt } = delivery;
  return (
    <Stack gap="small">
      <Row gap="small">
        <DeliveryState state={state} />
        <span className={wideOnly}>
          <Moment value={createdAt} />
        </span>
      </Row>
      {state === "failed" && <span className={wideOnly}>{detail}</span>}
    </Stack>
  );
}
