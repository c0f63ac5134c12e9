import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { incidentStates } from "#contracts/test-analyzer/incidents.ts";
import { required } from "~/backend/responses";
import { IncidentTable } from "~/features/incidents/incident-table";
import { stateWords } from "~/features/incidents/incident-words";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";

export const meta: MetaFunction = () => [{ title: "Incidents · API Assurance" }];

/** Unresolved incidents, unless the address filters otherwise. */
const filters = ["unresolved", ...incidentStates, "all"] as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const filter = filters.find((known) => known === search.get("state")) ?? "unresolved";
  const [apiId, testCircleId, cursor] = ["apiId", "testCircleId", "cursor"].map(
    (name) => search.get(name) || undefined,
  );
  const isOver = filter === "resolved" || filter === "all";
  const [page, api, circle] = await Promise.all([
    backend.testAnalyzer
      .listIncidents({
        query: {
          ...{ apiId, testCircleId, cursor, sort: isOver ? "newest" : "severity" },
          state: filter === "all" ? undefined : filter,
        },
      })
      .then(required),
    apiId ? backend.apiRegistry.summarizeApi({ params: { apiId } }) : undefined,
    testCircleId ? backend.testRegistry.getCircle({ params: { testCircleId } }) : undefined,
  ]);
  // Incidents outlive the tests and APIs they name.
  const names = [api && (api.ok ? api.value.name : "an API"), circle && (circle.ok ? circle.value.name : "a circle")];
  return {
    ...{ filter, cursor, isOver },
    of: names.filter(Boolean).join(", "),
    within: { apiId, testCircleId },
    incidents: page.items,
    total: page.total,
    nextCursor: page.nextCursor,
    address: request.url,
    now: new Date().toISOString(),
  };
}

export default function Incidents() {
  const { filter, cursor, isOver, of, within, incidents, total, nextCursor, address, now } =
    useLoaderData<typeof loader>();
  const everywhere = listAddress(address, { apiId: undefined, testCircleId: undefined });
  const isNarrowed = filter !== "unresolved" && filter !== "all";
  return (
    <Page>
      <PageHeading
        title={of ? `Incidents of ${of}` : "Incidents"}
        description="One incident per root cause, however many tests it affects."
        actions={of && <LinkButton href={everywhere}>Show all APIs</LinkButton>}
      />
      <FilterBar
        label="Filter incidents"
        hidden={within}
        resetHref={filter === "unresolved" ? undefined : listAddress(address, { state: undefined })}
      >
        <Select
          label="State"
          labelHidden
          name="state"
          defaultValue={filter}
          options={[
            { value: "unresolved", label: "Not resolved" },
            ...incidentStates.map((value) => ({ value, label: stateWords[value].word })),
            { value: "all", label: "All" },
          ]}
        />
      </FilterBar>
      {incidents.length > 0 ? (
        <IncidentTable
          caption={isOver ? "Incidents, newest first" : "Incidents, most severe first"}
          {...{ incidents, now }}
        />
      ) : (
        <EmptyState
          illustration={isNarrowed ? "search" : "quiet"}
          title={isNarrowed ? "No matching incidents" : filter === "all" ? "No incidents yet" : "No incidents"}
          action={
            filter !== "all" && (
              <LinkButton href={listAddress(address, { state: "all" })}>Show all incidents</LinkButton>
            )
          }
        >
          A test that fails in a scheduled run, a pipeline or an API run opens an incident, according to its alert rule.
          Manual runs don't open incidents.
        </EmptyState>
      )}
      <CursorPages
        label="Pages of incidents"
        summary={total !== undefined && total > incidents.length ? plural(total, "incident") : undefined}
        {...{ address, cursor, nextCursor }}
      />
    </Page>
  );
}
