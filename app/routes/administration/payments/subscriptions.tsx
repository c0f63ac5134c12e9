import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { subscriptionStates } from "#contracts/portal-service/subscriptions.ts";
import { required } from "~/backend/responses";
import { OperatedSubscriptionTable } from "~/features/subscriptions/operated-subscription-table";
import { stateNames } from "~/features/subscriptions/state-words";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";

export const meta: MetaFunction = () => [{ title: "Subscriptions of all organizations · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const state = subscriptionStates.find((known) => known === search.get("state"));
  const serviceId = search.get("serviceId") || undefined;
  const cursor = search.get("cursor") || undefined;
  const [page, plans] = await Promise.all([
    backend.portalService.listAllSubscriptions({ query: { query, state, serviceId, cursor } }).then(required),
    backend.portalService.listOperatedPlans().then(required),
  ]);
  return {
    ...page,
    filters: { query, state, serviceId, cursor },
    plans: plans.items.map(({ serviceId, name }) => ({ value: serviceId, label: name })),
    address: request.url,
  };
}

export default function AllSubscriptions() {
  const { items, nextCursor, isCut, filters, plans, address } = useLoaderData<typeof loader>();
  const { query, state, serviceId, cursor } = filters;
  const isFiltered = Boolean(query || state || serviceId);
  const everything = listAddress(address, { query: undefined, state: undefined, serviceId: undefined });
  return (
    <>
      <PageHeading title="Subscriptions" description="All organizations. Data from the latest check with PayPal." />
      <FilterBar
        label="Filter subscriptions"
        search={{ label: "Search by name or number", defaultValue: query }}
        resetHref={isFiltered ? everything : undefined}
      >
        <Select
          label="State"
          labelHidden
          name="state"
          defaultValue={state}
          placeholder="Any state"
          options={subscriptionStates.map((value) => ({ value, label: stateNames[value] }))}
        />
        <Select
          label="Plan"
          labelHidden
          name="serviceId"
          defaultValue={serviceId}
          placeholder="Any plan"
          options={plans}
        />
      </FilterBar>
      {isCut && (
        <Notice tone="warning" title="More than 200 organizations match">
          Subscriptions of 200 of them are listed. Type more of the name to find a certain one.
        </Notice>
      )}
      {items.length > 0 ? (
        <OperatedSubscriptionTable subscriptions={items} />
      ) : isFiltered || cursor ? (
        <EmptyState
          title="No matching subscriptions"
          action={<LinkButton href={everything}>Show all subscriptions</LinkButton>}
        >
          Names match by the start of each word. Enter numbers in full.
        </EmptyState>
      ) : (
        <EmptyState title="No subscribers yet">Subscriptions to paid plans appear here.</EmptyState>
      )}
      <CursorPages label="Pages of subscriptions" {...{ address, cursor, nextCursor }} />
    </>
  );
}
