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
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { listAddress } from "~/ui/list-page/list-address";

export const meta: MetaFunction = ({ matches }) => [{ title: `Runs of ${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const filters = readRunFilters(request);
  const page = required(
    await viewer.backend.testExecutioner.listRuns({ query: { apiId, ...filters, ...whatRan(filters) } }),
  );
  return {
    ...{ apiId, filters },
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

export default function Runs() {
  const { mayRun, runKey, ...listed } = useLoaderData<typeof loader>();
  const requested = useActionData<typeof action>()?.requested;
  return (
    <RunList
      title="Runs"
      description={<a href={href("/profile/command-line", { apiId: listed.apiId })}>Run in a pipeline</a>}
      {...listed}
      selection={{ mayRun, runKey, requested, alive: islandAttributes("ticked-rows") }}
      nothingYet={{
        title: "Nothing has run yet",
        illustration: "runs",
        action: (
          <LinkButton href={href("/test-management/:apiId/tests", { apiId: listed.apiId })}>See the tests</LinkButton>
        ),
        children: "A run is everything started together: one test, several or all of them.",
      }}
    />
  );
}
