import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { verdicts } from "#contracts/test-executioner/verdicts.ts";
import { available, required } from "~/backend/responses";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import { readRunFrom } from "~/features/locations/read-run-from";
import { RunFromMenu } from "~/features/locations/run-from";
import { OperationName } from "~/features/operation/operation-name";
import { readOutcomeSort, readTimeFilter, whatRan } from "~/features/runs/run-filters";
import { RunKey } from "~/features/runs/run-key";
import { newRunKey, readRunKey, startAndShow } from "~/features/runs/start-run.server";
import { TimeFilterWords } from "~/features/runs/time-filter-words";
import { TrendCard } from "~/features/trends/trend-card";
import { trendQuery } from "~/features/trends/trend-query";
import { VerdictSelect } from "~/features/verdict/verdict-select";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { Button, LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Row } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { SortNote } from "~/ui/list-page/sort-note";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { readTicked } from "~/ui/selection/selected-field";
import { ExecutionTable } from "./execution-table";
import { SelectedExecutions } from "./selected-executions";
import { handleSelectedExecutions, isOfSelected } from "./selected-executions.server";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Executions of a test of ${getApiName(matches)} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testId } = params as { apiId: string; testId: string };
  const search = new URL(request.url).searchParams;
  const verdict = verdicts.find((known) => known === search.get("verdict"));
  const cursor = search.get("cursor") || undefined;
  const time = readTimeFilter(search);
  const sort = readOutcomeSort(search);
  const { testAnalyzer, testExecutioner, testRegistry } = viewer.backend;
  const [test, page, locations, trends] = await Promise.all([
    testRegistry.getTest({ params: { testId } }).then(required),
    testExecutioner
      .listExecutions({ params: { testId }, query: { verdict, cursor, sort, ...whatRan(time) } })
      .then(required),
    viewer.may("tests:run") ? findLocationChoices(viewer) : undefined,
    cursor
      ? undefined
      : testAnalyzer.getTrends({ query: { apiId, testId, ...trendQuery(request, viewer.session) } }).then(available),
  ]);
  return {
    test: { id: test.id, name: test.name, method: test.method, path: test.path },
    apiId,
    address: request.url,
    trends,
    executions: page.items,
    nextCursor: page.nextCursor,
    onLaterPage: Boolean(cursor),
    verdict,
    time,
    sort,
    mayRun: viewer.may("tests:run"),
    locations,
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

/** Runs the test and leads to the run, or cancels or repeats ticked executions. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testId } = params as { apiId: string; testId: string };
  const form = await readForm(request);
  if (isOfSelected(form)) {
    const list = listAddress(request.url, {});
    return await handleSelectedExecutions({ viewer, context, apiId, testId, form, list });
  }
  return await startAndShow({
    ...{ viewer, context, runPage: { apiId } },
    runKey: readRunKey(form),
    subject: testId,
    run: { source: { tests: [testId] }, ...readRunFrom(form) },
    otherwise: href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId }),
  });
}

export default function Executions() {
  const { test, apiId, address, trends, executions, nextCursor, onLaterPage, verdict, time, sort, ...viewing } =
    useLoaderData<typeof loader>();
  const { mayRun, runKey, locations, now } = viewing;
  const run = mayRun && (
    <form method="post">
      <RunKey value={runKey} />
      <Row gap="small">
        <Button variant="primary" icon="play">
          Run
        </Button>
        <RunFromMenu choices={locations} />
      </Row>
    </form>
  );
  return (
    <>
      <PageHeading
        title={test.name}
        description={<OperationName method={test.method} path={test.path} />}
        actions={
          <>
            <LinkButton
              href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: test.id })}
              icon="pencil"
            >
              Edit test
            </LinkButton>
            {run}
          </>
        }
      />
      {executions.length === 0 && !verdict && !time.from && !time.to && !onLaterPage ? (
        <EmptyState illustration="runs" title="This test has not run yet">
          Run it to see the response.
        </EmptyState>
      ) : (
        <>
          {trends && (
            <TrendCard
              trends={trends}
              of={{ apiId, testId: test.id }}
              address={address}
              alive={islandAttributes("plots")}
            />
          )}
          <FilterBar
            label="Filter executions"
            hidden={{ range: trends?.range, sort, ...time }}
            resetHref={
              (verdict || time.from || time.to) &&
              listAddress(address, { verdict: undefined, from: undefined, to: undefined })
            }
          >
            <VerdictSelect value={verdict} />
          </FilterBar>
          <TimeFilterWords {...time} what="Executions" address={address} />
          {executions.length > 0 ? (
            <>
              {mayRun && <SelectedExecutions count={executions.length} runKey={runKey} />}
              <ExecutionTable
                caption="Executions"
                {...{ executions, now, address, sort }}
                ticked={mayRun ? readTicked(address) : undefined}
              />
              {(sort === "verdict" || sort === "-verdict") && (
                <SortNote reset={listAddress(address, { sort: undefined })}>
                  Executions without a verdict are not in this order.
                </SortNote>
              )}
            </>
          ) : (
            <EmptyState title="No matching executions">No executions match.</EmptyState>
          )}
          <CursorPages label="Pages of executions" {...{ address, nextCursor }} cursor={onLaterPage} />
        </>
      )}
    </>
  );
}
