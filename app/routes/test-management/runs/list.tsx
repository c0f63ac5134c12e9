import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readRunFilters } from "~/features/runs/run-filters";
import { RunList } from "~/features/runs/run-list";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";

export const meta: MetaFunction = ({ matches }) => [{ title: `Runs of ${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const filters = readRunFilters(request);
  const page = required(await viewer.backend.testExecutioner.listRuns({ query: { apiId, ...filters } }));
  return {
    ...{ apiId, filters },
    runs: page.items,
    nextCursor: page.nextCursor,
    address: request.url,
    now: new Date().toISOString(),
  };
}

export default function Runs() {
  const listed = useLoaderData<typeof loader>();
  return (
    <RunList
      title="Runs"
      description={<a href={href("/profile/command-line", { apiId: listed.apiId })}>Run in a pipeline</a>}
      {...listed}
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
