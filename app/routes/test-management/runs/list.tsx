import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { RunFilterBar } from "~/features/runs/run-filter-bar";
import { runFiltersOf } from "~/features/runs/run-filters";
import { RunTable } from "~/features/runs/run-table";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { apiNameOf } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";

export const meta: MetaFunction = ({ matches }) => [{ title: `Runs of ${apiNameOf(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const filters = runFiltersOf(request);
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
  const { apiId, runs, nextCursor, filters, address, now } = useLoaderData<typeof loader>();
  const { verdict, trigger, cursor } = filters;
  const filtered = Boolean(verdict || trigger);
  const reset = listAddress(address, { verdict: undefined, trigger: undefined });
  return (
    <>
      <PageHeading title="Runs" />
      {runs.length === 0 && !filtered && !cursor ? (
        <EmptyState
          title="Nothing has run yet"
          action={<LinkButton href={href("/test-management/:apiId/tests", { apiId })}>See the tests</LinkButton>}
        >
          Everything that is started together is one run: one test, several, or all of them.
        </EmptyState>
      ) : (
        <>
          <RunFilterBar {...{ verdict, trigger }} resetHref={filtered ? reset : undefined} />
          {runs.length > 0 ? (
            <RunTable apiId={apiId} runs={runs} now={now} />
          ) : (
            <EmptyState title="No run matches" action={<LinkButton href={reset}>Show all runs</LinkButton>}>
              No run was started or ended like that.
            </EmptyState>
          )}
          <Pagination
            label="Pages of runs"
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </>
  );
}
