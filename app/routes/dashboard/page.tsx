import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { isOutstanding } from "#contracts/portal-service/outstanding.ts";
import { available } from "~/backend/responses";
import { NoApisYet } from "~/features/apis/no-apis-yet";
import { FailingNowCard } from "~/features/failing-tests/failing-now-card";
import { NoticeList } from "~/features/notifications/notice-list";
import { UsagePlot } from "~/features/plans/usage-plot";
import { newRunKey } from "~/features/runs/start-run.server";
import { HeldBackNotice } from "~/features/schedules/held-back";
import { TrendCard } from "~/features/trends/trend-card";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Grid } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CheckList } from "./check-list";
import { OperationTrends } from "./operation-trends";
import { nothingToSee, readOverview } from "./overview.server";
import { addressStep, findSetUp, type SetUpStep } from "./set-up";
import { SetUpCard } from "./set-up-card";
import { StateLine } from "./state-line";

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
  const { checks } = overview;
  const { state, tag, cursor } = checks?.filters ?? {};
  // A filtered list says nothing about the remaining set-up steps.
  const steps: SetUpStep[] =
    checks && mayRegister && !state && !tag && !cursor ? findSetUp({ ...overview, statuses: checks.checks }) : [];
  return {
    ...overview,
    address: request.url,
    mayRegister,
    offersExample: mayRegister && overview.checks?.total === 0 && (await context.example.isOffered()),
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
  const { checks, failingNow, trends, hasRun, nextRuns, schedulesKnown, lastResolvedAt, ...shown } =
    useLoaderData<typeof loader>();
  const { address, setUp, usage, mayRegister, offersExample, mayRun, managesBilling, notices, runKey, now } = shown;
  const hasNoApis = checks === null || checks?.total === 0;
  return (
    <Page>
      <PageHeading
        title="Dashboard"
        actions={
          mayRegister &&
          !hasNoApis && (
            <LinkButton href={href("/api-management/register")} icon="plus">
              Register an API
            </LinkButton>
          )
        }
      />
      <NoticeList notices={notices} returnTo={href("/dashboard")} />
      {hasNoApis && <NoApisYet {...{ mayRegister, offersExample }} />}
      {failingNow && !hasNoApis && (
        <StateLine
          apis={checks?.total}
          failing={failingNow.apiIds?.length}
          incidents={failingNow.incidentCount}
          {...{ hasRun, nextRuns, schedulesKnown, lastResolvedAt, now }}
        />
      )}
      {failingNow && <FailingNowCard found={failingNow} {...{ mayRun, runKey, now }} />}
      <SetUpCard steps={setUp} />
      <HeldBackNotice schedules={nextRuns} managesBilling={managesBilling} />
      {checks === undefined && <Card title="APIs" description="APIs can't be shown right now." />}
      {checks && !hasNoApis && <CheckList listed={checks} address={address} now={now} />}
      {trends === undefined && <Card title="Trends" description="Trends can't be shown right now." />}
      {trends && (hasRun || trends.total.executions > 0) && (
        <TrendCard trends={trends} address={address} alive={islandAttributes("plots")} />
      )}
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
  );
}
