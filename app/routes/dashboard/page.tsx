import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/answers";
import type { Backend } from "~/backend/backend";
import { href } from "~/href";
import { OpenIncidents } from "~/incidents/open-incidents";
import { findOpenIncidents } from "~/incidents/open-incidents.server";
import { NoticeList } from "~/notifications/notice-list";
import { UsagePlot } from "~/plans/usage-plot";
import { HeldBackNotice } from "~/routes/test-management/schedules/held-back";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { TrendCard } from "~/trends/trend-card";
import { trendQuery } from "~/trends/trend-query";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Grid } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { findStandings } from "~/verdict/find-standings.server";
import { LastVerdicts } from "~/verdict/last-verdicts";
import { isOutstanding } from "../../../services/portal-service/contract/outstanding.ts";
import { type ApiStanding, nextStep } from "./api-standing";
import { NextRuns } from "./next-runs";
import { OperationTrends } from "./operation-trends";

export const meta: MetaFunction = () => [{ title: "Dashboard · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const [overview, notifications = [], usage] = await Promise.all([
    viewer.may("apis:read") ? readOverview(viewer.backend, request) : nothingToSee,
    viewer.backend.portalService.listNotifications().then(available),
    viewer.backend.portalService.getUsage().then(available),
  ]);
  const mayRegister = viewer.may("apis:write");
  return {
    ...overview,
    address: request.url,
    fullName: viewer.session.fullName,
    mayRegister,
    // Whoever operates the installation is no customer, so there is nothing to hold to.
    usage: usage?.plan ? { plan: usage.plan.name, items: usage.items } : undefined,
    managesBilling: viewer.may("billing:manage"),
    next: mayRegister ? nextStep(overview.standings) : undefined,
    notices: notifications.filter((one) => one.type === "NOTIFICATION" && isOutstanding(one)),
  };
}

const mostNextRuns = 5;

/** For who operates the installation and nothing else. */
const nothingToSee = { standings: [], trends: undefined, incidents: undefined, nextRuns: [], hasMore: false };

async function readOverview(backend: Backend, request: Request) {
  const [page, trends, incidents, schedules] = await Promise.all([
    backend.apiRegistry.listApis({ query: { sort: "-updatedAt" } }).then(required),
    backend.testAnalyzer.getTrends({ query: trendQuery(request) }).then(available),
    findOpenIncidents(backend, request),
    backend.testRegistry.listSchedules({ query: { enabled: "true", limit: mostNextRuns } }).then(available),
  ]);
  const standingOf = await findStandings(backend, page.items);
  const standings: ApiStanding[] = page.items.map((api) => ({ api, ...standingOf(api) }));
  return { standings, trends, incidents, nextRuns: schedules?.items ?? [], hasMore: page.nextCursor !== null };
}

export default function Dashboard() {
  const {
    address,
    fullName,
    standings,
    trends,
    incidents,
    nextRuns,
    hasMore,
    mayRegister,
    next,
    notices,
    usage,
    managesBilling,
  } = useLoaderData<typeof loader>();
  const hasRun = standings.some(({ executions }) => executions?.lastFinishedAt);
  return (
    <>
      <WorkspaceNav path={href("/dashboard")} />
      <Page>
        <PageHeading
          title="Dashboard"
          description={`Signed in as ${fullName}`}
          actions={
            mayRegister &&
            standings.length > 0 && (
              <LinkButton href={href("/api-management/register")} icon="plus">
                Register an API
              </LinkButton>
            )
          }
        />
        <NoticeList notices={notices} returnTo={href("/dashboard")} />
        {next && (
          <EmptyState
            title={next.title}
            action={
              <LinkButton href={next.href} variant="primary">
                {next.action}
              </LinkButton>
            }
          >
            {next.sentence}
          </EmptyState>
        )}
        {standings.length === 0 && !mayRegister && (
          <EmptyState title="There are no APIs yet">
            An editor or administrator of your organization registers the first one.
          </EmptyState>
        )}
        {incidents && incidents.total > 0 && <OpenIncidents found={incidents} />}
        {standings.length > 0 && <ApiTable standings={standings} hasMore={hasMore} />}
        <HeldBackNotice schedules={nextRuns} managesBilling={managesBilling} />
        {nextRuns.length > 0 && <NextRuns schedules={nextRuns} />}
        {usage && (
          <Card
            title={`Used of the ${usage.plan} plan`}
            footer={managesBilling && <a href={href("/billing")}>Plan and billing</a>}
          >
            <UsagePlot items={usage.items} />
          </Card>
        )}
        {trends && (hasRun || trends.total.executions > 0) && <TrendCard trends={trends} address={address} />}
        {trends && (
          <Grid cell="large">
            <OperationTrends title="Slowest operations" kind="slowest" trends={trends.slowest} />
            <OperationTrends title="Flakiest operations" kind="flakiest" trends={trends.flakiest} />
          </Grid>
        )}
      </Page>
    </>
  );
}

function ApiTable({ standings, hasMore }: { standings: ApiStanding[]; hasMore: boolean }) {
  return (
    <Card title="APIs" flush footer={hasMore && <a href={href("/api-management/list")}>All APIs</a>}>
      <Table
        bare
        caption="APIs and the last verdicts of their tests"
        captionHidden
        rows={standings}
        rowKey={({ api }) => api.id}
        columns={[
          {
            key: "name",
            header: "API",
            rowHeader: true,
            cell: ({ api }) => <a href={href("/api-management/:apiId/details", { apiId: api.id })}>{api.name}</a>,
          },
          { key: "version", header: "Version", cell: ({ api }) => api.version },
          { key: "operations", header: "Operations", numeric: true, cell: ({ api }) => api.operationCount },
          {
            key: "tests",
            header: "Tests",
            numeric: true,
            cell: ({ api, testCount }) => (
              <a href={href("/test-management/:apiId/tests", { apiId: api.id })}>{testCount ?? "unknown"}</a>
            ),
          },
          { key: "verdicts", header: "Last verdicts", cell: ({ executions }) => <LastVerdicts counts={executions} /> },
        ]}
      />
    </Card>
  );
}
