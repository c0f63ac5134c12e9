import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readRunFilters, whatRan } from "~/features/runs/run-filters";
import { RunList } from "~/features/runs/run-list";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";

export const meta: MetaFunction = () => [{ title: "Runs of all APIs · API Assurance" }];

/** Where the dashboard's plots lead. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const filters = readRunFilters(request);
  const page = required(await viewer.backend.testExecutioner.listRuns({ query: { ...filters, ...whatRan(filters) } }));
  return {
    filters,
    runs: page.items,
    nextCursor: page.nextCursor,
    address: request.url,
    now: new Date().toISOString(),
  };
}

export default function RunsOfAll() {
  return (
    <Page>
      <RunList
        title="Runs of all APIs"
        apiId={undefined}
        {...useLoaderData<typeof loader>()}
        nothingYet={{
          title: "Nothing has run yet",
          illustration: "runs",
          action: <LinkButton href={href("/api-management/list")}>See the APIs</LinkButton>,
          children: "A run is everything started together: one test, several or all of them.",
        }}
      />
    </Page>
  );
}
