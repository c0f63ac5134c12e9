import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { verdicts } from "#contracts/test-executioner/verdicts.ts";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import { PlanQuotas } from "~/features/plans/plan-quota";
import { findQuotas } from "~/features/plans/plan-quota.server";
import { LackingNotice } from "~/features/runs/lacks-values";
import { newRunKey } from "~/features/runs/start-run.server";
import { statusWords } from "~/features/verdict/verdict-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { SortNote } from "~/ui/list-page/sort-note";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { LastRuns } from "../last-runs";
import { countProposals, listTestsWithLatest, readFilters } from "./list.server";
import { handleListAction } from "./list-action.server";
import { SelectedActions, SelectedDialog } from "./selected-tests";
import { TestTable } from "./test-table";

export const meta: MetaFunction = ({ matches }) => [{ title: `Tests of ${getApiName(matches)} · API Assurance` }];

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const filters = readFilters(search);
  const [list, proposed, locations, quotas] = await Promise.all([
    listTestsWithLatest(viewer, params.apiId!, filters),
    countProposals(viewer, params.apiId!),
    viewer.may("tests:run") ? findLocationChoices(viewer) : undefined,
    findQuotas(viewer, [
      ...(viewer.may("tests:write") ? (["tests"] as const) : []),
      ...(viewer.may("tests:run") ? (["executionsPerMonth"] as const) : []),
    ]),
  ]);
  return {
    ...list,
    proposed,
    locations,
    quotas,
    filters,
    address: request.url,
    apiId: params.apiId!,
    ticked: search.get("ticked")?.split(",") ?? [],
    deletedTestId: search.get("dialog") === "delete" ? search.get("testId") : null,
    mayRun: viewer.may("tests:run"),
    mayWrite: viewer.may("tests:write"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const form = await readForm(request.clone());
  const running = String(form.get("intent")).startsWith("run");
  const viewer = await requireViewer(request, context);
  requireScope(viewer, running ? "tests:run" : "tests:write");
  return await handleListAction(request, viewer, context, params.apiId!);
}

export default function Tests() {
  const displayed = useLoaderData<typeof loader>();
  const requested = useActionData<typeof action>()?.requested;
  const { tests, total, filters, address, apiId, nextCursor, lastRuns, mayRun, mayWrite, runKey } = displayed;
  const { quotas, deletedTestId, now, proposed, locations } = displayed;
  const ticked = requested?.ids ?? displayed.ticked;
  const { query, method, tag, enabled, safe, verdict, cursor, sort } = filters;
  const filtered = Boolean(query || method || tag || enabled || safe || verdict);
  const nothingYet = tests.length === 0 && !filtered && !cursor;
  const explore = (
    <LinkButton href={href("/test-management/:apiId/explorations", { apiId })} icon="search">
      Explore
    </LinkButton>
  );
  const exportAll = (
    <LinkButton href={href("/test-management/:apiId/export", { apiId })} icon="download">
      Export
    </LinkButton>
  );
  const proposals = proposed > 0 && (
    <LinkButton href={href("/test-management/:apiId/tests/proposals", { apiId })} icon="info">
      {plural(proposed, "proposed test")}
    </LinkButton>
  );
  const newTest = mayWrite && (
    <LinkButton
      href={href("/test-management/:apiId/tests/make", { apiId })}
      icon="plus"
      variant={nothingYet ? "primary" : "secondary"}
    >
      Generate tests
    </LinkButton>
  );
  const importTests = mayWrite && (
    <LinkButton href={href("/test-management/:apiId/tests/import", { apiId })} icon="plus">
      Import
    </LinkButton>
  );
  const deleted = tests.find(({ id }) => id === deletedTestId);
  const reset = listAddress(address, { query: "", method: "", tag: "", enabled: "", safe: "", verdict: "" });
  return (
    <>
      <PageHeading
        title="Tests"
        actions={
          nothingYet ? (
            <>
              {proposals}
              {explore}
              {importTests}
            </>
          ) : (
            <>
              {proposals}
              {explore}
              {exportAll}
              {importTests}
              {newTest}
            </>
          )
        }
      />
      <PlanQuotas quotas={quotas} />
      {nothingYet ? (
        <EmptyState illustration="tests" title="No tests yet" action={newTest}>
          Generated from the API's document: one per selected operation.
        </EmptyState>
      ) : (
        <>
          <LastRuns apiId={apiId} counts={lastRuns} />
          <LackingNotice apiId={apiId} total={displayed.lacking} mayWrite={mayWrite} />
          <FilterBar
            label="Filter tests"
            search={{ label: "Search tests", defaultValue: query }}
            hidden={{ sort: sort === "name" ? undefined : sort }}
            resetHref={filtered ? reset : undefined}
          >
            <Select
              label="Method"
              labelHidden
              name="method"
              defaultValue={method}
              placeholder="Any method"
              options={methods.map((value) => ({ value, label: value.toUpperCase() }))}
            />
            <TextField label="Tag" labelHidden name="tag" defaultValue={tag} placeholder="Tag" width="short" />
            <Select
              label="Safe"
              labelHidden
              name="safe"
              defaultValue={safe}
              placeholder="Safe/unsafe"
              options={[
                { value: "true", label: "Safe" },
                { value: "false", label: "May change data" },
              ]}
            />
            <Select
              label="Last verdict"
              labelHidden
              name="verdict"
              defaultValue={verdict}
              placeholder="Any verdict"
              options={verdicts.map((value) => ({ value, label: statusWords[value].word }))}
            />
            <Select
              label="State"
              labelHidden
              name="enabled"
              defaultValue={enabled}
              placeholder="Enabled/disabled"
              options={[
                { value: "true", label: "Enabled" },
                { value: "false", label: "Disabled" },
              ]}
            />
          </FilterBar>
          {tests.length > 0 ? (
            <>
              <SelectedActions count={tests.length} {...{ apiId, mayRun, mayWrite, runKey, locations }} />
              <TestTable {...{ apiId, address, sort, cursor, tests, ticked, mayRun, mayWrite, runKey, now }} />
            </>
          ) : (
            <EmptyState
              title={nextCursor ? "No matching tests on this page" : "No matching tests"}
              action={<LinkButton href={reset}>Show all tests</LinkButton>}
            >
              {nextCursor ? "The next page may have some." : "Try fewer or other filters."}
            </EmptyState>
          )}
          {displayed.hasRunOnly && (
            <SortNote reset={listAddress(address, { sort: undefined })} label="Sort by name">
              Tests that have not run or are running now are not in this order.
            </SortNote>
          )}
          <CursorPages
            label="Pages of tests"
            summary={
              total === undefined ? undefined : `${total.toLocaleString("en")} ${total === 1 ? "test" : "tests"}`
            }
            {...{ address, cursor, nextCursor }}
          />
        </>
      )}
      {requested && (
        <SelectedDialog
          requested={requested}
          runKey={runKey}
          cancelHref={listAddress(address, { cursor, ticked: ticked.join(",") })}
        />
      )}
      {deleted && mayWrite && (
        <Dialog
          title={`Delete ${deleted.name}?`}
          message="The test and its executions are deleted. This can't be undone."
          cancelHref={listAddress(address, { cursor, testId: undefined })}
          fields={{ testId: deleted.id }}
          actions={[{ name: "Delete test", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
