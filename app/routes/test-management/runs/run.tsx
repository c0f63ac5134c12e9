import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { verdicts } from "#contracts/test-executioner/verdicts.ts";
import { available, problemResponse, required } from "~/backend/responses";
import { findNeedOfRefusal, isRefusal } from "~/features/authentication/find-need-of-refusal.server";
import { NeedNotice } from "~/features/authentication/need-notice";
import { findIncidentsOfRun } from "~/features/incidents/incidents-of-run.server";
import { findAgentName } from "~/features/locations/agent-name.server";
import { PlaceTable } from "~/features/locations/place-table";
import { findSentFrom } from "~/features/locations/sent-from.server";
import { runTitle } from "~/features/runs/run-words";
import { newRunKey, readRunKey, startAndShow } from "~/features/runs/start-run.server";
import { isUnfinished } from "~/features/verdict/verdict-words";
import { readForm } from "~/forms/read-form.server";
import { href, toSearch } from "~/href";
import { Island } from "~/islands/island";
import { endedElementId, runElementId } from "~/islands/run-view/element-ids";
import { RunView, type RunViewProps } from "~/islands/run-view/run-view";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { AgainDialog } from "./again-dialog";
import { CaptureTable } from "./capture-table";
import { findRunWithFailures } from "./run-failures.server";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, data ? runTitle(data.view.run) : "Run");

export const handle: ApiPageHandle = {
  crumbs({ data, params }) {
    const { apiId = "", testCircleId } = params;
    if (!testCircleId) return [];
    const runs = href("/test-management/:apiId/test-circles/:testCircleId/executions/list", { apiId, testCircleId });
    const { source } = (data as { view?: { run: RunSummary } } | undefined)?.view?.run ?? {};
    const circle = href("/test-management/:apiId/test-circles/:testCircleId", { apiId, testCircleId });
    return [
      ...(source?.kind === "circle" ? [{ label: source.testCircleName, href: circle }] : []),
      { label: "Runs", href: runs },
    ];
  },
};

/** An execution of a circle is a run: its results are the run's page, at an address of the circle's. */
function getPlace({ apiId = "", runId, testCircleId, testCircleExecutionId }: Record<string, string | undefined>) {
  return { apiId, testCircleId, runId: runId ?? testCircleExecutionId ?? "" };
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, runId, testCircleId } = getPlace(params);
  const search = new URL(request.url).searchParams;
  const verdict = verdicts.find((known) => known === search.get("verdict"));
  const cursor = search.get("cursor") || undefined;
  const failuresAfter = search.get("failuresAfter") || undefined;
  const { run: requested, failures } = await findRunWithFailures(viewer, runId, { verdict, cursor, failuresAfter });
  const { members, firstFailures, captures, ...run } = requested;
  const isOfCircle = !testCircleId || (run.source.kind === "circle" && run.source.testCircleId === testCircleId);
  if (!isOfCircle || !run.apis.some((api) => api.apiId === apiId)) {
    throw problemResponse({
      type: "about:blank",
      title: "Not found",
      status: 404,
      code: "not_found",
      detail: "This API has no such run.",
    });
  }
  const view: RunViewProps = {
    apiId,
    run,
    members: members.items,
    firstFailures,
    failures: failures && {
      items: failures.items,
      firstHref: failuresAfter && listAddress(request.url, { failuresAfter: undefined }),
      nextHref: failures.nextCursor ? listAddress(request.url, { failuresAfter: failures.nextCursor }) : undefined,
    },
    mayRun: viewer.may("tests:run"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
    verdict,
    resetHref: verdict && listAddress(request.url, { verdict: undefined }),
    firstHref: cursor && listAddress(request.url, {}),
    nextHref: members.nextCursor ? listAddress(request.url, { cursor: members.nextCursor }) : undefined,
  };
  const from = Number(search.get("from")) || undefined;
  const asksAgain = search.get("dialog") === "again" && view.mayRun && !isUnfinished(run);
  const refused = firstFailures.find((member) => member.apiId === apiId && isRefusal(member));
  const environment = run.apis.find((api) => api.apiId === apiId)?.environment ?? null;
  const [incidents, repetition, need, sentFrom, lateAgentName, placed] = await Promise.all([
    findIncidentsOfRun(viewer.backend, {
      finishedAt: run.finishedAt,
      testIds: firstFailures.map(({ testId }) => testId),
    }),
    asksAgain
      ? viewer.backend.testExecutioner.describeRepetition({ params: { runId }, query: { from } }).then(required)
      : undefined,
    refused && !isUnfinished(run) ? findNeedOfRefusal(viewer, { apiId, environment }) : undefined,
    findSentFrom(
      viewer,
      [...members.items, ...firstFailures].map(({ locationId }) => locationId),
    ),
    findAgentName(viewer, run.lateAgentId),
    run.places && !isUnfinished(run)
      ? viewer.backend.testExecutioner.listRunPlaces({ params: { runId } }).then(available)
      : undefined,
  ]);
  const again = repetition && { ...repetition, from, closeHref: listAddress(request.url, { from: undefined }) };
  const asking = {
    ...{ apiId, need, returnTo: listAddress(request.url, {}) },
    mayStore: viewer.may("credentials:manage"),
    mayChangeApi: viewer.may("apis:write"),
  };
  return {
    view: { ...view, incidents, sentFrom, lateAgentName },
    captures,
    again,
    asking,
    places: placed?.items ?? [],
  };
}

/** Runs the failed members again, or everything from one member on, or cancels members that have not started. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, runId } = getPlace(params);
  const form = await readForm(request);
  const here = new URL(request.url).pathname;
  if (form.get("intent") === "cancel") {
    const result = await viewer.backend.testExecutioner.cancelRun({ params: { runId } });
    if (!result.ok && result.status === 409) {
      return redirectWithToast(context, here, { message: result.problem.detail, variant: "warning" });
    }
    return redirectWithToast(context, here, { message: cancelledWords(required(result)), variant: "info" });
  }
  const from = Number(form.get("from")) || undefined;
  if (form.get("confirmed") !== "yes") {
    const described = await viewer.backend.testExecutioner.describeRepetition({ params: { runId }, query: { from } });
    // A run that can't be described can't be started either, and the start reports why.
    const isUnsafe = described.ok && described.value.methods.some(({ safe }) => !safe);
    if (isUnsafe) return redirect(here + toSearch({ dialog: "again", from }), 303);
  }
  return await startAndShow({
    ...{ viewer, context, runPage: { apiId }, runKey: readRunKey(form) },
    subject: from === undefined ? `failed:${runId}` : `from:${from}:${runId}`,
    run: { source: from === undefined ? { runId, only: "failed" } : { runId, from }, trigger: "rerun" },
    otherwise: here,
  });
}

function cancelledWords({ counts, state }: RunSummary): string {
  const goesOn = state === "cancelling" ? " Running tests will finish." : "";
  if (counts.cancelled === 0) return `The run is cancelled.${goesOn}`;
  const cancelled = counts.cancelled.toLocaleString("en");
  return `${cancelled} of ${counts.executions.toLocaleString("en")} executions were cancelled.${goesOn}`;
}

export default function RunPage() {
  const { view, captures, again, asking, places } = useLoaderData<typeof loader>();
  return (
    <>
      <VisuallyHidden id={endedElementId} role="status" />
      <Stack gap="huge" id={runElementId}>
        <NeedNotice {...asking} />
        {isUnfinished(view.run) ? (
          <Island name="run-view" component={RunView} props={view as RunViewProps} />
        ) : (
          <RunView {...(view as RunViewProps)} />
        )}
        {places.length > 0 && (
          <Card title="Results by place" flush>
            <PlaceTable rows={places} />
          </Card>
        )}
        {captures.length > 0 && (
          <Card title="Captured values" flush>
            <CaptureTable captures={captures} />
          </Card>
        )}
      </Stack>
      {again && <AgainDialog {...again} runKey={view.runKey} />}
    </>
  );
}
