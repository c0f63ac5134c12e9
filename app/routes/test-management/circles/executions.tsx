import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { circleAddress, circleListAddress } from "~/features/circles/circle-addresses";
import { CircleTabs } from "~/features/circles/circle-tabs";
import { readRunFilters } from "~/features/runs/run-filters";
import { RunList } from "~/features/runs/run-list";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";

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
  const { backend } = await requireViewer(request, context);
  const { apiId, testCircleId } = params;
  const filters = readRunFilters(request);
  const [page, circle] = await Promise.all([
    backend.testExecutioner
      .listRuns({ query: testCircleId ? { testCircleId, ...filters } : { apiId, source: "circle", ...filters } })
      .then(required),
    testCircleId ? backend.testRegistry.getCircle({ params: { testCircleId } }).then(required) : undefined,
  ]);
  return {
    ...{ apiId: apiId!, filters },
    circle: circle && { id: circle.id, name: circle.name, apiIds: circle.apiIds },
    runs: page.items,
    nextCursor: page.nextCursor,
    address: request.url,
    now: new Date().toISOString(),
  };
}

export default function CircleExecutions() {
  const { circle, ...listed } = useLoaderData<typeof loader>();
  const { apiId } = listed;
  return (
    <RunList
      title={circle ? circle.name : "Runs of circles"}
      lead={circle && <CircleTabs apiId={apiId} testCircleId={circle.id} current="runs" />}
      {...listed}
      nothingYet={{
        title: "Nothing has run yet",
        illustration: "runs",
        action: <LinkButton href={circleListAddress(apiId)}>See the circles</LinkButton>,
        children: "Circles run manually or on a schedule.",
      }}
    />
  );
}
