import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { deliveryOutcomes } from "#contracts/portal-service/deliveries.ts";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { DeliveryTable } from "./delivery-table";
import { outcomeWords } from "./delivery-words";

export const meta: MetaFunction = () => [{ title: "Deliveries of PayPal · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { portalService } = (await requireViewer(request, context)).backend;
  const search = new URL(request.url).searchParams;
  const outcome = deliveryOutcomes.find((known) => known === search.get("outcome"));
  const [query, subscriptionId, cursor] = ["query", "subscriptionId", "cursor"].map(
    (name) => search.get(name)?.trim() || undefined,
  );
  const page = required(await portalService.listDeliveries({ query: { query, outcome, subscriptionId, cursor } }));
  return { ...page, filters: { query, outcome, subscriptionId, cursor }, address: request.url };
}

export default function Deliveries() {
  const { items, nextCursor, refusedOfDay, filters, address } = useLoaderData<typeof loader>();
  const { query, outcome, subscriptionId, cursor } = filters;
  const isFiltered = Boolean(query || outcome || subscriptionId);
  const everything = listAddress(address, { query: undefined, outcome: undefined, subscriptionId: undefined });
  return (
    <>
      <PageHeading
        title="PayPal's deliveries"
        description="PayPal webhooks of the last 90 days. Webhooks only trigger a lookup at PayPal."
        actions={
          subscriptionId && (
            <LinkButton href={href("/administration/system/subscriptions/:subscriptionId", { subscriptionId })}>
              Its subscription
            </LinkButton>
          )
        }
      />
      {refusedOfDay > 0 && (
        <Notice tone="warning" title={`${plural(refusedOfDay, "delivery", "deliveries")} refused in the last 24 hours`}>
          PayPal did not send {refusedOfDay === 1 ? "it" : "them"}, so nothing changed. The first 20 per hour are
          listed; the rest are counted.
        </Notice>
      )}
      <FilterBar
        label="Filter deliveries"
        search={{ label: "Search by PayPal's number", defaultValue: query }}
        hidden={{ subscriptionId }}
        resetHref={isFiltered ? everything : undefined}
      >
        <Select
          label="From"
          labelHidden
          name="outcome"
          defaultValue={outcome}
          placeholder="From anyone"
          options={deliveryOutcomes.map((value) => ({ value, label: outcomeWords[value].name }))}
        />
      </FilterBar>
      {items.length > 0 ? (
        <DeliveryTable deliveries={items} />
      ) : isFiltered || cursor ? (
        <EmptyState
          title="No matching deliveries"
          action={<LinkButton href={everything}>Show all deliveries</LinkButton>}
        >
          PayPal IDs of deliveries start with WH, those of subscriptions with I. Enter the full ID.
        </EmptyState>
      ) : (
        <EmptyState title="PayPal has not sent anything yet">
          Deliveries appear after the first subscription. If none arrive, check that the webhook in your PayPal account
          points to this portal; until then PayPal's events are fetched twice a minute.
        </EmptyState>
      )}
      <CursorPages label="Pages of deliveries" {...{ address, cursor, nextCursor }} />
    </>
  );
}
