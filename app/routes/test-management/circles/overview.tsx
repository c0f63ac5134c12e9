import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { available, required } from "~/backend/responses";
import type { CircleParams } from "~/features/circles/circle-addresses";
import { CircleTabs } from "~/features/circles/circle-tabs";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { OpenIncidents } from "~/features/incidents/open-incidents";
import { findOpenIncidents } from "~/features/incidents/open-incidents.server";
import { DeletedPlaces } from "~/features/locations/deleted-places";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import { placeRuleWords } from "~/features/locations/place-words";
import { RunFromMenu } from "~/features/locations/run-from";
import { DeletedPlaceNotice, PlacesValue, SentFromValue } from "~/features/locations/sent-from";
import { findSentFrom } from "~/features/locations/sent-from.server";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { RunKey } from "~/features/runs/run-key";
import { RunTable } from "~/features/runs/run-table";
import { newRunKey } from "~/features/runs/start-run.server";
import { HeldBackNotice } from "~/features/schedules/held-back";
import { TrendCard } from "~/features/trends/trend-card";
import { trendQuery } from "~/features/trends/trend-query";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Row } from "~/ui/layout/layout";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Stats } from "~/ui/stat/stat";
import { Strip } from "~/ui/strip/strip";
import { CircleSchedules } from "./circle-schedules";
import { type DisplayedCircleStatus, findCircleStatuses } from "./circle-statuses.server";
import { CircleSummary } from "./circle-summary";
import { LevelCard } from "./level-card";
import { runCircle } from "./run-circle.server";

export const handle: ApiPageHandle = { hasOwnRun: true };

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, data?.circle.name ?? "Circle");

const displayedRuns = 5;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as CircleParams;
  const { testAnalyzer, testExecutioner, testRegistry } = viewer.backend;
  const circle = required(await testRegistry.getCircle({ params: { testCircleId } }));
  const { id, name, description, members, order, concurrency, onlyOwn, locationId, places } = circle;
  const [statuses, schedules, runs, trends, incidents, quota, managed, sentFrom, locations] = await Promise.all([
    findCircleStatuses(viewer, [circle], { apiId, timeZone: getTimeZone(request, viewer.session) }),
    testRegistry.listSchedulesOfCircle({ params: { testCircleId }, query: { limit: 200 } }).then(available),
    testExecutioner.listRuns({ query: { testCircleId, limit: displayedRuns } }).then(available),
    testAnalyzer.getTrends({ query: { testCircleId, ...trendQuery(request, viewer.session) } }).then(available),
    findOpenIncidents(viewer, { testCircleId }),
    viewer.may("tests:run") ? findQuota(viewer, "executionsPerMonth") : undefined,
    findManaged(viewer, "circle", testCircleId),
    findSentFrom(viewer, places ? places.locationIds : [locationId]),
    viewer.may("tests:run") ? findLocationChoices(viewer) : undefined,
  ]);
  return {
    circle: { id, name, description, memberCount: members.length, order, concurrency, onlyOwn, places },
    status: statuses.of(circle),
    schedules: schedules?.items,
    runs: runs?.items,
    trends,
    incidents,
    quota,
    managed,
    ...{ sentFrom, locations },
    apiId,
    managesBilling: viewer.may("billing:manage"),
    address: request.url,
    now: new Date().toISOString(),
    runKey: newRunKey(),
    mayRun: viewer.may("tests:run"),
    mayWrite: viewer.may("tests:write"),
  };
}

/** Runs the circle and leads to the run. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as CircleParams;
  return await runCircle({
    ...{ viewer, context, preferred: apiId, form: await readForm(request) },
    circle: { id: testCircleId, apiIds: [apiId] },
    otherwise: new URL(request.url).pathname,
  });
}

function nextWords({ next, isPaused }: DisplayedCircleStatus, schedules: readonly Schedule[] = []) {
  const enabled = schedules.filter(({ enabled }) => enabled);
  if (enabled.length > 0 && enabled.every(({ heldBack }) => heldBack)) return "Held back";
  if (next) return <ZonedMoment {...next} />;
  return isPaused ? "Paused" : "Not scheduled";
}

export default function CircleOverview() {
  const { circle, status, schedules, runs, trends, incidents, quota, managed, sentFrom, locations, ...shown } =
    useLoaderData<typeof loader>();
  const { apiId, address, now, runKey, mayRun, mayWrite, managesBilling } = shown;
  const location = { apiId, testCircleId: circle.id };
  const hasRun = runs !== undefined && runs.length > 0;
  const editHref = mayWrite ? href("/test-management/:apiId/test-circles/:testCircleId/edit", location) : undefined;
  return (
    <>
      <PageHeading
        title={circle.name}
        mark={<VerdictBadge status={status.last?.status} />}
        description={circle.description || undefined}
        actions={
          <>
            <LinkButton
              href={href("/test-management/:apiId/export", { apiId }, { testCircleId: circle.id })}
              icon="download"
            >
              Export
            </LinkButton>
            {mayRun && (
              <form method="post">
                <RunKey value={runKey} />
                <Row gap="small">
                  <Button variant="primary" icon="play">
                    Run
                  </Button>
                  <RunFromMenu choices={locations} />
                </Row>
              </form>
            )}
          </>
        }
      />
      <CircleTabs {...location} current="overview" />
      <ManagedNote managed={managed} />
      <PlanQuota quota={quota} />
      {circle.places ? (
        <DeletedPlaces places={circle.places} locations={sentFrom} editHref={editHref} />
      ) : (
        <DeletedPlaceNotice locations={sentFrom} editHref={editHref} />
      )}
      <HeldBackNotice schedules={schedules ?? []} managesBilling={managesBilling} />
      <CircleSummary {...{ apiId, runs, since: status.since }} next={nextWords(status, schedules)} />
      <Stats
        items={[
          {
            label: "Last runs",
            value: status.strip ? <Strip {...status.strip} /> : "None yet",
          },
          {
            label: "Members",
            value: plural(circle.memberCount, "member"),
            detail: [
              circle.order === "sequential" ? "sequential" : `${circle.concurrency} in parallel`,
              ...(circle.onlyOwn ? ["change only what a run made"] : []),
            ].join(", "),
          },
          ...(circle.places
            ? [
                {
                  label: "Runs from",
                  value: <PlacesValue portal={circle.places.portal} locations={sentFrom} />,
                  detail: `${placeRuleWords(circle.places)}; a test counts once against the plan`,
                },
              ]
            : sentFrom.map((location) => ({ label: "Runs from", value: <SentFromValue location={location} /> }))),
        ]}
      />
      {incidents && incidents.total > 0 && <OpenIncidents found={incidents} />}
      {trends && hasRun && (
        <TrendCard trends={trends} of={location} address={address} alive={islandAttributes("plots")} />
      )}
      <Card
        title="Last runs"
        flush={hasRun}
        description={hasRun ? undefined : runs ? "Nothing has run yet." : "Runs can't be shown right now."}
        footer={
          hasRun && (
            <a href={href("/test-management/:apiId/test-circles/:testCircleId/executions/list", location)}>
              All its runs
            </a>
          )
        }
      >
        {hasRun && <RunTable {...{ apiId, runs, now }} />}
      </Card>
      <CircleSchedules {...{ ...location, schedules, mayWrite }} />
      <LevelCard {...{ params: location, mayWrite }} level={status.level} />
    </>
  );
}
