import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import { required } from "~/backend/answers";
import { describeTarget, kindWords } from "~/features/alerts/channel-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Row, Stack } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
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
    ...{ query, cursor, address: request.url },
    channels: page.items,
    nextCursor: page.nextCursor,
    mayWrite: viewer.may("tests:write"),
  };
}

export default function AlertChannels() {
  const { query, cursor, address, channels, nextCursor, mayWrite } = useLoaderData<typeof loader>();
  const nothingYet = channels.length === 0 && !query && !cursor;
  const reset = listAddress(address, { query: undefined });
  const create = mayWrite && (
    <LinkButton href={href("/test-management/alert-channels/create")} variant="primary" icon="plus">
      Create a channel
    </LinkButton>
  );
  return (
    <Page>
      <PageHeading
        title="Alert channels"
        description="Where the organization's alerts go when an API breaks and when it recovers."
        actions={!nothingYet && create}
      />
      {nothingYet ? (
        <EmptyState title="No channels yet" icon="mail" action={create}>
          A channel brings alerts to people by mail, to Slack or Teams, or to a server of yours.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter channels"
            search={{ label: "Search by name", defaultValue: query }}
            resetHref={query ? reset : undefined}
          />
          {channels.length > 0 ? (
            <ChannelTable channels={channels} />
          ) : (
            <EmptyState title="No channel matches" action={<LinkButton href={reset}>Show all channels</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of channels"
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
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
        { key: "kind", header: "Carried by", selfEvident: true, cell: ({ kind }) => kindWords[kind] },
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
  if (!delivery) return "No delivery yet";
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
