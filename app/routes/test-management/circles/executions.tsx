import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { circleAddress, circleListAddress } from "~/features/circles/circle-addresses";
import { CircleTabs } from "~/features/circles/circle-tabs";
import { readRunFilters, whatRan } from "~/features/runs/run-filters";
import { RunList } from "~/features/runs/run-list";
import { handleSelectedRuns } from "~/features/runs/selected-runs.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { listAddress } from "~/ui/list-page/list-address";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, data?.circle ? `Runs of ${data.circle.name}` : "Runs of circles");

export const handle: ApiPageHandle = {
  crumbs({ data, params }) {
    const circle = (data as { circle?: { id: string; name: string; apiIds: string[] } } | undefined)?.circle;
    return circle ? [{ label: circle.name, href: circleAddress(circle, params.apiId) }] : [];
  },
};

/** Executions of one circle, or of all with tests of the API. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params;
  const filters = readRunFilters(request);
  const [page, circle] = await Promise.all([
    viewer.backend.testExecutioner
      .listRuns({
        query: {
          ...(testCircleId ? { testCircleId } : { apiId, source: "circle" as const }),
          ...{ ...filters, ...whatRan(filters) },
        },
      })
      .then(required),
    testCircleId ? viewer.backend.testRegistry.getCircle({ params: { testCircleId } }).then(required) : undefined,
  ]);
  return {
    ...{ apiId: apiId!, filters },
    circle: circle && { id: circle.id, name: circle.name, apiIds: circle.apiIds },
    runs: page.items,
    nextCursor: page.nextCursor,
    address: request.url,
    mayRun: viewer.may("tests:run"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

/** Compares, cancels or repeats the ticked runs. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  return await handleSelectedRuns({ viewer, context, apiId: params.apiId!, form, list: listAddress(request.url, {}) });
}

export default function CircleExecutions() {
  const { circle, mayRun, runKey, ...listed } = useLoaderData<typeof loader>();
  const requested = useActionData<typeof action>()?.requested;
  const { apiId } = listed;
  return (
    <RunList
      title={circle ? circle.name : "Runs of circles"}
      lead={circle && <CircleTabs apiId={apiId} testCircleId={circle.id} current="runs" />}
      {...listed}
      selection={{ mayRun, runKey, requested, alive: islandAttributes("ticked-rows") }}
      nothingYet={{
        title: "Nothing has run yet",
        illustration: "runs",
        action: <LinkButton href={circleListAddress(apiId)}>See the circles</LinkButton>,
        children: "Circles run manually or on a schedule.",
      }}
    />
  );
}
