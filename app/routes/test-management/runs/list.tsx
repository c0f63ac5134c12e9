import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { href } from "~/href";
import { triggerWords } from "~/runs/run-words";
import { requireViewer } from "~/session/guards";
import { listAddress } from "~/shell/list-address";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { standingWords } from "~/verdict/verdict-words";
import { runTrigger, verdicts } from "../../../../services/test-executioner/contract/verdicts.ts";
import { RunTable } from "./run-table";

export const meta: MetaFunction = () => [{ title: "Runs · API Assurance" }];

export const handle = { crumbs: () => [{ label: "Runs" }] };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const verdict = verdicts.find((known) => known === search.get("verdict"));
  const trigger = runTrigger.options.find((known) => known === search.get("trigger"));
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.testExecutioner.listRuns({ query: { apiId, verdict, trigger, cursor } }));
  return {
    ...{ apiId, verdict, trigger },
    runs: page.items,
    nextCursor: page.nextCursor,
    onLaterPage: Boolean(cursor),
    address: request.url,
    now: new Date().toISOString(),
  };
}

export default function Runs() {
  const { apiId, runs, nextCursor, onLaterPage, verdict, trigger, address, now } = useLoaderData<typeof loader>();
  const filtered = Boolean(verdict || trigger);
  const reset = listAddress(address, { verdict: undefined, trigger: undefined });
  return (
    <>
      <PageHeading title="Runs" />
      {runs.length === 0 && !filtered && !onLaterPage ? (
        <EmptyState
          title="Nothing has run yet"
          action={<LinkButton href={href("/test-management/:apiId/tests", { apiId })}>See the tests</LinkButton>}
        >
          Everything that is started together is one run: one test, several, or all of them.
        </EmptyState>
      ) : (
        <>
          <FilterBar label="Filter runs" resetHref={filtered ? reset : undefined}>
            <Select
              label="Verdict"
              labelHidden
              name="verdict"
              defaultValue={verdict ?? ""}
              options={[
                { value: "", label: "All verdicts" },
                ...verdicts.map((value) => ({ value, label: standingWords[value].word })),
              ]}
            />
            <Select
              label="Started by"
              labelHidden
              name="trigger"
              defaultValue={trigger ?? ""}
              options={[
                { value: "", label: "All triggers" },
                ...runTrigger.options.map((value) => ({ value, label: triggerWords[value] })),
              ]}
            />
          </FilterBar>
          {runs.length > 0 ? (
            <RunTable apiId={apiId} runs={runs} now={now} />
          ) : (
            <EmptyState title="No run fits" action={<LinkButton href={reset}>Show all runs</LinkButton>}>
              No run was started or ended like that.
            </EmptyState>
          )}
          <Pagination
            label="Pages of runs"
            firstHref={onLaterPage ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </>
  );
}
