import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { runAddress } from "~/features/runs/run-address";
import { runTitle } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { type Status, statusWords } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Stack } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { type FormatMoment, Moment, useFormatMoment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { BodyDifferences } from "./body-differences";
import { ComparedMembers, MissingMembers } from "./compared-members";
import { comparableRuns, countsInWords } from "./comparison.server";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, data ? `${data.title}, compared` : "Compared runs");

export const handle: ApiPageHandle = {
  crumbs: ({ data }) => [{ label: "Run", href: (data as { runHref?: string } | undefined)?.runHref }],
};

const membersOnPage = 50;

/** A run compared to the previous one, or to another. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const { apiId, runId } = params as { apiId: string; runId: string };
  const search = new URL(request.url).searchParams;
  const [chosen, cursor] = ["with", "cursor"].map((name) => search.get(name) || undefined);
  const showsAll = search.get("show") === "all";
  const only = showsAll ? undefined : ("changed" as const);
  const query = { before: chosen, cursor, only, limit: membersOnPage };
  const [run, compared] = await Promise.all([
    backend.testExecutioner.getRun({ params: { runId }, query: { limit: 1 } }).then(required),
    backend.testExecutioner.compareRun({ params: { runId }, query }).then(required),
  ]);
  const listed = comparableRuns(run.source);
  const others = listed && available(await backend.testExecutioner.listRuns({ query: { ...listed, limit: 50 } }));
  const { before, items, nextCursor, counts, gone = [] } = compared;
  return {
    ...{ apiId, before, items, gone, chosen, showsAll },
    title: runTitle(run),
    run: { state: run.state, verdict: run.verdict, queuedAt: run.queuedAt },
    runHref: runAddress(apiId, run),
    changes: counts && countsInWords(counts),
    choices: (others?.items ?? []).filter(({ id, finishedAt }) => id !== runId && finishedAt !== null),
    firstHref: cursor && listAddress(request.url, {}),
    nextHref: nextCursor ? listAddress(request.url, { cursor: nextCursor }) : undefined,
    allHref: listAddress(request.url, { show: "all" }),
  };
}

export default function Comparison() {
  const { apiId, title, run, runHref, before, items, gone, changes, showsAll, ...paging } =
    useLoaderData<typeof loader>();
  const { firstHref, nextHref, allHref } = paging;
  return (
    <Stack gap="huge">
      <PageHeading
        title={`${title}, compared`}
        mark={<VerdictBadge status={run.verdict ?? run.state} />}
        description={
          before ? (
            <>
              <a href={runHref}>This run</a> of <Moment value={run.queuedAt} precise /> beside{" "}
              <a href={href("/test-management/:apiId/runs/:runId", { apiId, runId: before.runId })}>the run</a> of{" "}
              <Moment value={before.queuedAt} precise />. {changes}
            </>
          ) : undefined
        }
      />
      {before ? (
        <>
          <Choice {...paging} before={before} showsAll={showsAll} />
          {items.length > 0 ? (
            <ComparedMembers members={items} />
          ) : (
            <EmptyState
              title={nextHref ? "Nothing changed so far" : "Nothing changed"}
              action={<LinkButton href={nextHref ?? allHref}>{nextHref ? "Stay here" : "Show all"}</LinkButton>}
            >
              {nextHref
                ? "The members compared so far are identical. There are more."
                : "Verdicts, statuses, times and bodies match the compared run, except for values that change on every run."}
            </EmptyState>
          )}
          {items.map((member) => (
            <BodyDifferences key={member.executionId} member={member} />
          ))}
          <Pagination label="Pages of compared executions" firstHref={firstHref} nextHref={nextHref} />
          {gone.length > 0 && <MissingMembers members={gone} />}
        </>
      ) : (
        <EmptyState
          title="There is no run to compare with"
          action={<LinkButton href={runHref}>See the run</LinkButton>}
        >
          It is the first complete run of its kind: the next one can be compared with it.
        </EmptyState>
      )}
    </Stack>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;
type ChoiceProps = Pick<Loaded, "choices" | "chosen" | "showsAll"> & { before: NonNullable<Loaded["before"]> };

function Choice({ choices, chosen, showsAll, before }: ChoiceProps) {
  const formatMoment = useFormatMoment();
  const listed = choices.map(({ id, queuedAt, verdict, state }) => ({ id, queuedAt, status: verdict ?? state }));
  const older = chosen && !listed.some(({ id }) => id === chosen);
  const all = older
    ? [...listed, { ...before, id: before.runId, status: before.verdict ?? "cancelled" } as const]
    : listed;
  return (
    <FilterBar label="What is compared" submitLabel="Compare">
      <Select
        label="With"
        name="with"
        defaultValue={chosen ?? ""}
        options={[
          { value: "", label: "The run before" },
          ...all.map(({ id, queuedAt, status }) => ({
            value: id,
            label: runLabel(formatMoment, queuedAt, status),
          })),
        ]}
      />
      <Select
        label="Show"
        name="show"
        defaultValue={showsAll ? "all" : ""}
        options={[
          { value: "", label: "What changed" },
          { value: "all", label: "All executions" },
        ]}
      />
    </FilterBar>
  );
}

function runLabel(formatMoment: FormatMoment, queuedAt: string, status: Status): string {
  return `${formatMoment(queuedAt, true)}, ${statusWords[status].word.toLowerCase()}`;
}
