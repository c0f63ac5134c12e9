import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { findNeed } from "~/features/authentication/find-need.server";
import { NeedNotice } from "~/features/authentication/need-notice";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { BaseUrlForm } from "./base-url-form";
import { loadPlan } from "./load-plan.server";
import { handleMakeForm } from "./make-action.server";
import { MakeForm } from "./make-form";
import { type MakeReply, openedCircle, toOwnPath } from "./making";
import { MakingProgress } from "./making-progress";
import { readMakeFilters } from "./plan.server";

export const meta: MetaFunction = ({ matches }) => [
  { title: `Generate tests of ${getApiName(matches)} · API Assurance` },
];

const effects = [
  { value: "safe", label: "Safe" },
  { value: "changes", label: "Changes data" },
  { value: "deletes", label: "Deletes" },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const filters = readMakeFilters(search);
  const [api, chosen, tags, list, quota, need] = await Promise.all([
    viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    findEnvironmentInUse(viewer, apiId),
    viewer.backend.apiRegistry.listOperationTags({ params: { apiId } }).then(required),
    loadPlan(viewer, apiId, filters, search.get(openedCircle) ?? undefined),
    findQuota(viewer, "tests"),
    findNeed(viewer, apiId),
  ]);
  return {
    apiId,
    ...list,
    quota,
    need,
    mayStore: viewer.may("credentials:manage"),
    filters,
    tags: tags.items.map(({ name }) => name),
    hasAddress: !list.needsBaseUrl || (chosen?.baseUrl ?? api.effectiveBaseUrl) !== null,
    mayRun: viewer.may("tests:run"),
    managesBilling: viewer.may("billing:manage"),
    mayChangeApi: viewer.may("apis:write"),
    address: request.url,
    runKey: newRunKey(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleMakeForm(request, await readForm(request), { viewer, context, apiId: params.apiId! });
}

export default function MakeTests() {
  const displayed = useLoaderData<typeof loader>();
  const reply = useActionData<MakeReply>();
  const { apiId, circles, refusals, values, leftOut, one, nextCursor, total, filters, tags, address } = displayed;
  const { query, tag, effect, operation, cursor } = filters;
  if (reply?.making) return <MakingProgress making={reply.making} runKey={displayed.runKey} />;
  const filtered = Boolean(query || tag || effect || operation);
  const all = href("/test-management/:apiId/tests/make", { apiId });
  return (
    <>
      <PageHeading
        title="Generate tests"
        description="One circle of tests per resource in the document: it creates one, reads, lists and changes it, deletes it and checks that it no longer exists. Selected circles change only what they create themselves."
      />
      <PlanQuota quota={displayed.quota} />
      {!displayed.hasAddress && <BaseUrlForm mayChange={displayed.mayChangeApi} refused={reply?.baseUrl} />}
      <NeedNotice
        apiId={apiId}
        need={displayed.need}
        returnTo={toOwnPath(address)}
        mayStore={displayed.mayStore}
        mayChangeApi={displayed.mayChangeApi}
      />
      {!operation && (
        <FilterBar
          label="Filter operations"
          search={{ label: "Search by path or summary", defaultValue: query }}
          resetHref={filtered ? all : undefined}
        >
          <Select
            label="What it does"
            labelHidden
            name="effect"
            defaultValue={effect}
            placeholder="All operations"
            options={effects}
          />
          {tags.length > 0 && (
            <Select
              label="Tag"
              labelHidden
              name="tag"
              defaultValue={tag}
              placeholder="Any tag"
              options={tags.map((name) => ({ value: name, label: name }))}
            />
          )}
        </FilterBar>
      )}
      {total > 0 ? (
        <MakeForm
          {...{ apiId, circles, refusals, values, leftOut, one, total, reply }}
          managesBilling={displayed.managesBilling}
          runKey={displayed.runKey}
          mayRun={displayed.mayRun && displayed.hasAddress}
          hasMorePages={Boolean(nextCursor || cursor)}
        />
      ) : (
        <EmptyState
          title={filtered ? "No matching operations" : "This document has no operations"}
          action={filtered && <LinkButton href={all}>Show all operations</LinkButton>}
        >
          {filtered
            ? "Try fewer or other words."
            : "Tests are generated for operations. Import a version of the document that has some."}
        </EmptyState>
      )}
      {operation && total > 0 && <a href={all}>Generate tests for other operations</a>}
      <CursorPages label="Pages of operations" {...{ address, cursor, nextCursor }} />
    </>
  );
}
