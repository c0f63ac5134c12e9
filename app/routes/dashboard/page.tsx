import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { isOutstanding } from "#contracts/portal-service/outstanding.ts";
import { available } from "~/backend/responses";
import { FailingCard } from "~/features/failing-tests/failing-card";
import { OpenIncidents } from "~/features/incidents/open-incidents";
import { NoticeList } from "~/features/notifications/notice-list";
import { UsagePlot } from "~/features/plans/usage-plot";
import { newRunKey } from "~/features/runs/start-run.server";
import { HeldBackNotice } from "~/features/schedules/held-back";
import { TrendCard } from "~/features/trends/trend-card";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Grid } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ApiTable } from "./api-table";
import { NextRuns } from "./next-runs";
import { OperationTrends } from "./operation-trends";
import { nothingToSee, readOverview } from "./overview.server";
import { addressStep, findSetUp } from "./set-up";
import { SetUpCard } from "./set-up-card";

export const meta: MetaFunction = () => [{ title: "Dashboard · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const mayRead = viewer.may("apis:read");
  const [overview, notifications = [], usage, account] = await Promise.all([
    mayRead ? readOverview(viewer, request) : nothingToSee,
    viewer.backend.portalService.listNotifications().then(available),
    viewer.backend.portalService.getUsage().then(available),
    // A session without an email address is as old as its token: an address may have been
    // confirmed since.
    viewer.session.email ? undefined : viewer.backend.securityService.getOwnAccount().then(available),
  ]);
  const mayRegister = viewer.may("apis:write");
  const steps = mayRead && mayRegister ? findSetUp(overview) : [];
  return {
    ...overview,
    address: request.url,
    fullName: viewer.session.fullName,
    mayRegister,
    mayRun: viewer.may("tests:run"),
    // Operators of the installation are not customers, so plan limits don't apply.
    usage: usage?.plan ? { plan: usage.plan.name, items: usage.items } : undefined,
    managesBilling: viewer.may("billing:manage"),
    setUp: account?.email === "" ? [...steps, addressStep] : steps,
    notices: notifications.filter((one) => one.type === "NOTIFICATION" && isOutstanding(one)),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

export default function Dashboard() {
  const { statuses, apiCount, hasRun, failing, incidents, trends, nextRuns, setUp, usage, ...shown } =
    useLoaderData<typeof loader>();
  const { address, fullName, mayRegister, mayRun, managesBilling, notices, runKey, now } = shown;
  return (
    <>
      <Page>
        <PageHeading
          title="Dashboard"
          description={`Signed in as ${fullName}`}
          actions={
            mayRegister &&
            apiCount > 0 && (
              <LinkButton href={href("/api-management/register")} icon="plus">
                Register an API
              </LinkButton>
            )
          }
        />
        <NoticeList notices={notices} returnTo={href("/dashboard")} />
        {apiCount === 0 && !mayRegister && (
          <EmptyState title="There are no APIs yet">
            An editor or administrator of your organization needs to register the first one.
          </EmptyState>
        )}
        {failing && hasRun && <FailingCard {...failing} {...{ mayRun, runKey, now }} />}
        {incidents && incidents.total > 0 && <OpenIncidents found={incidents} />}
        <SetUpCard steps={setUp} />
        {statuses.length > 0 && <ApiTable statuses={statuses} total={apiCount} now={now} />}
        {trends && (hasRun || trends.total.executions > 0) && <TrendCard trends={trends} address={address} />}
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
