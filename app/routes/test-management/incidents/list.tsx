import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { incidentSorts, incidentStates } from "#contracts/test-analyzer/incidents.ts";
import { required } from "~/backend/responses";
import { IncidentTable } from "~/features/incidents/incident-table";
import { stateWords } from "~/features/incidents/incident-words";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { readTicked } from "~/ui/selection/selected-field";
import { IncidentQuestionDialog, SelectedIncidents } from "./selected-incidents";
import { handleSelectedIncidents } from "./selected-incidents.server";

export const meta: MetaFunction = () => [{ title: "Incidents · API Assurance" }];

/** Unresolved incidents, unless the address filters otherwise. */
const filters = ["unresolved", ...incidentStates, "all"] as const;

const captions = {
  newest: "Incidents, newest first",
  oldest: "Incidents, oldest first",
  severity: "Incidents, most severe first",
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { backend } = viewer;
  const search = new URL(request.url).searchParams;
  const filter = filters.find((known) => known === search.get("state")) ?? "unresolved";
  const [apiId, testCircleId, cursor] = ["apiId", "testCircleId", "cursor"].map(
    (name) => search.get(name) || undefined,
  );
  const isOver = filter === "resolved" || filter === "all";
  const requested = incidentSorts.find((known) => known === search.get("sort"));
  // Only the few unresolved ones are sorted by severity: the others are as many as 13 months had.
  const sort = isOver && requested !== "oldest" ? "newest" : (requested ?? "severity");
  const [page, api, circle] = await Promise.all([
    backend.testAnalyzer
      .listIncidents({
        query: {
          ...{ apiId, testCircleId, cursor, sort },
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
    ...{ filter, cursor, isOver, sort },
    mayWrite: viewer.may("tests:write"),
    runKey: newRunKey(),
    of: names.filter(Boolean).join(", "),
    within: { apiId, testCircleId },
    incidents: page.items,
    total: page.total,
    nextCursor: page.nextCursor,
    address: request.url,
    now: new Date().toISOString(),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const timeZone = getTimeZone(request, viewer.session);
  return await handleSelectedIncidents({ viewer, context, form, timeZone, list: listAddress(request.url, {}) });
}

export default function Incidents() {
  const { filter, cursor, isOver, sort, of, within, incidents, total, nextCursor, address, ...viewing } =
    useLoaderData<typeof loader>();
  const { now, mayWrite, runKey } = viewing;
  const requested = useActionData<typeof action>()?.requested;
  const ticked = requested?.ids ?? readTicked(address);
  const isSorted = sort !== (isOver ? "newest" : "severity");
  const maySelect = mayWrite && filter !== "resolved";
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
        hidden={{ ...within, sort: isSorted ? sort : undefined }}
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
        <>
          {maySelect && <SelectedIncidents count={incidents.length} runKey={runKey} />}
          <IncidentTable
            caption={captions[sort]}
            {...{ incidents, now }}
            ticked={maySelect ? ticked : undefined}
            sorting={{ address, sort, bySeverity: !isOver }}
          />
        </>
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
      {requested && mayWrite && (
        <IncidentQuestionDialog
          {...{ requested, runKey }}
          cancelHref={listAddress(address, { cursor, ticked: ticked.join(",") })}
        />
      )}
    </Page>
  );
}
