import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readRunFilters, whatRan } from "~/features/runs/run-filters";
import { RunList } from "~/features/runs/run-list";
import { handleSelectedRuns } from "~/features/runs/selected-runs.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { listAddress } from "~/ui/list-page/list-address";

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
    mayRun: viewer.may("tests:run"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

/** Compares, cancels or repeats the ticked runs. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  return await handleSelectedRuns({ viewer, context, apiId: undefined, form, list: listAddress(request.url, {}) });
}

export default function RunsOfAll() {
  const { mayRun, runKey, ...listed } = useLoaderData<typeof loader>();
  const requested = useActionData<typeof action>()?.requested;
  return (
    <Page>
      <RunList
        title="Runs of all APIs"
        apiId={undefined}
        {...listed}
        selection={{ mayRun, runKey, requested, alive: islandAttributes("ticked-rows") }}
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
