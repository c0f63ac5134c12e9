import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { problemResponse, required } from "~/backend/answers";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { IncidentsOfRun } from "~/incidents/incidents-of-run";
import { findIncidentsOfRun } from "~/incidents/incidents-of-run.server";
import { Island } from "~/islands/island";
import { endedPlace, runPlace } from "~/islands/run-view/places";
import { RunView, type RunViewProps } from "~/islands/run-view/run-view";
import { runTitle } from "~/runs/run-words";
import { newRunKey, runKeyOf, startAndShow } from "~/runs/start-run.server";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { listAddress } from "~/shell/list-address";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { isUnfinished } from "~/verdict/verdict-words";
import { verdicts } from "../../../../services/test-executioner/contract/verdicts.ts";
import { circleListAddress } from "../circles/circle-places";
import { CaptureTable } from "./capture-table";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? runTitle(data.view.run) : "Run"} · API Assurance` },
];

export const handle = {
  crumbs: ({ params }: { params: Record<string, string | undefined> }) => {
    const { apiId = "", testCircleId } = params;
    if (!testCircleId)
      return [{ label: "Runs", href: href("/test-management/:apiId/runs", { apiId }) }, { label: "Run" }];
    const runs = href("/test-management/:apiId/test-circles/:testCircleId/executions/list", { apiId, testCircleId });
    return [{ label: "Circles", href: circleListAddress(apiId) }, { label: "Runs", href: runs }, { label: "Run" }];
  },
};

/** A circle's execution is a run: its results are the run's page, at an address of the circle's. */
function placeOf({ apiId = "", runId, testCircleId, testCircleExecutionId }: Record<string, string | undefined>) {
  return { apiId, testCircleId, runId: runId ?? testCircleExecutionId ?? "" };
}

const membersOnPage = 100;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, runId, testCircleId } = placeOf(params);
  const search = new URL(request.url).searchParams;
  const verdict = verdicts.find((known) => known === search.get("verdict"));
  const cursor = search.get("cursor") || undefined;
  const { members, firstFailures, captures, ...run } = required(
    await viewer.backend.testExecutioner.getRun({
      params: { runId },
      query: { verdict, cursor, limit: membersOnPage },
    }),
  );
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
    mayRun: viewer.may("tests:run"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
    verdict,
    resetHref: verdict && listAddress(request.url, { verdict: undefined }),
    firstHref: cursor && listAddress(request.url, {}),
    nextHref: members.nextCursor ? listAddress(request.url, { cursor: members.nextCursor }) : undefined,
  };
  const incidents = await findIncidentsOfRun(viewer.backend, { finishedAt: run.finishedAt, firstFailures });
  return { view, captures, incidents };
}

/** Runs the failed again, or cancels what has not started. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, runId } = placeOf(params);
  const form = await readForm(request);
  const here = href("/test-management/:apiId/runs/:runId", { apiId, runId });
  if (form.get("intent") === "cancel") {
    const answer = await viewer.backend.testExecutioner.cancelRun({ params: { runId } });
    if (!answer.ok && answer.status === 409) {
      return redirectWithToast(context, here, { message: answer.problem.detail, variant: "warning" });
    }
    const { counts } = required(answer);
    const message =
      counts.cancelled === 0
        ? "Everything had started already, so nothing was cancelled."
        : `${counts.cancelled.toLocaleString("en")} of ${counts.executions.toLocaleString("en")} executions were cancelled before they started.`;
    return redirectWithToast(context, here, { message, variant: "info" });
  }
  return await startAndShow({
    ...{ viewer, context, shownAt: { apiId }, runKey: runKeyOf(form) },
    what: `failed:${runId}`,
    run: { source: { runId, only: "failed" }, trigger: "rerun" },
    otherwise: here,
  });
}

export default function RunPage() {
  const { view, captures, incidents } = useLoaderData<typeof loader>();
  return (
    <>
      <VisuallyHidden id={endedPlace} role="status" />
      <Stack gap="huge" id={runPlace}>
        <IncidentsOfRun incidents={incidents} />
        {isUnfinished(view.run) ? (
          <Island name="run-view" component={RunView} props={view as RunViewProps} />
        ) : (
          <RunView {...(view as RunViewProps)} />
        )}
        {captures.length > 0 && (
          <Card title="Captured values" flush>
            <CaptureTable captures={captures} />
          </Card>
        )}
      </Stack>
    </>
  );
}
