import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { IncidentsOfRun, type IncidentsOfRunProps } from "~/features/incidents/incidents-of-run";
import { placeRuleWords } from "~/features/locations/place-words";
import { NotRunNotice, type SentFrom, SentFromWords } from "~/features/locations/sent-from";
import { runAddress } from "~/features/runs/run-address";
import { RunKey } from "~/features/runs/run-key";
import {
  countedVerdicts,
  failedCount,
  isFailing,
  runTitle,
  startedByWords,
  verdictsInWords,
} from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { VerdictCount } from "~/features/verdict/verdict-count";
import { getStatus, isUnfinished } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Row, Stack } from "~/ui/layout/layout";
import { Menu, MenuLink } from "~/ui/menu/menu";
import { Ago } from "~/ui/moment/ago";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Progress } from "~/ui/progress/progress";
import type { RunSnapshot } from "./run-change.ts";
import { type DisplayedFailure, RunFailures } from "./run-failures.tsx";
import { RunMembers, type RunMembersProps } from "./run-members.tsx";
import { RunStrip } from "./run-strip.tsx";
import { RunTimeline } from "./run-timeline.tsx";

export interface RunViewProps extends RunSnapshot, Omit<RunMembersProps, "members" | "foldedAs"> {
  apiId: string;
  /** One page of the failures of an ended run, which `members` then exclude. */
  failures?: { items: readonly DisplayedFailure[]; firstHref?: string; nextHref?: string };
  mayRun: boolean;
  /** Action of the form that repeats the failures. */
  runKey: string;
  /** Incidents that include its failures. */
  incidents?: IncidentsOfRunProps["incidents"];
  /** Where its members on the page are sent from, other than this portal. */
  sentFrom?: readonly SentFrom[];
  /** Of the agent that started it while the portal was away. */
  lateAgentName?: string | undefined;
  /** When the page was rendered: durations in progress count up to then. */
  now: string;
}

/**
 * A run from its verdict down to its members. Hydrated while the run is in progress, static markup before and after.
 */
export function RunView(props: RunViewProps) {
  const {
    apiId,
    run,
    members,
    firstFailures,
    failures,
    mayRun,
    runKey,
    incidents = [],
    sentFrom = [],
    lateAgentName,
    now,
    ...paging
  } = props;
  const displayed = failures ? [...failures.items, ...members.filter((member) => !isFailing(member))] : members;
  const inOrder = [...displayed].sort((a, b) => a.position - b.position);
  const getPlace = run.places
    ? ({ locationId }: RunMember) =>
        locationId ? (sentFrom.find(({ id }) => id === locationId)?.name ?? "a deleted location") : "this portal"
    : undefined;
  const again = mayRun && mayRunFrom(run) ? againForm : undefined;
  const others = verdictsInWords({ ...run.counts, failed: 0, errored: 0, blocked: 0, regional: 0 });
  return (
    <Stack gap="huge">
      <PageHeading
        title={runTitle(run)}
        mark={<VerdictBadge status={getStatus(run)} />}
        description={<RunDescription {...{ apiId, run, sentFrom, lateAgentName, now }} />}
        actions={<RunActions {...{ apiId, run, mayRun, runKey }} />}
      />
      <RunCounted apiId={apiId} run={run} members={inOrder} />
      <NotRunNotice locations={sentFrom.filter(({ id }) => displayed.some((one) => isNotSent(one, id)))} />
      <IncidentsOfRun incidents={incidents} />
      <RunFailures
        run={run}
        getPlace={getPlace}
        {...(failures ? { ...failures, failures: failures.items } : { failures: firstFailures })}
        againForm={again}
      />
      {(others || !failures || paging.verdict) && (
        <RunMembers
          members={members}
          foldedAs={failures && (paging.verdict ? "Executions" : others)}
          againForm={again}
          getPlace={getPlace}
          {...paging}
        />
      )}
      <RunTimeline {...{ run, now, getPlace }} members={inOrder} />
    </Stack>
  );
}

const againForm = "run-again";

/** Starting from one member makes sense if later members build on earlier ones. */
function mayRunFrom(run: RunSummary): boolean {
  return !isUnfinished(run) && run.order === "sequential" && run.counts.executions > 1;
}

/** Waits at a location, or was skipped there. */
function isNotSent({ locationId, state, verdict }: RunMember, id: string): boolean {
  return locationId === id && (state === "queued" || verdict === "skipped");
}

type RunDescriptionProps = Pick<RunViewProps, "apiId" | "run" | "lateAgentName" | "now"> & {
  sentFrom: readonly SentFrom[];
};

function RunDescription({ apiId, run, sentFrom, lateAgentName, now }: RunDescriptionProps) {
  const { source, startedAt, queuedAt, finishedAt, counts, order, apis, onlyOwn, places } = run;
  const began = Date.parse(startedAt ?? queuedAt);
  const environments = [...new Set(apis.flatMap(({ environment }) => environment ?? []))];
  return (
    <>
      {startedAt
        ? `${formatMilliseconds(Date.parse(finishedAt ?? now) - began)}${finishedAt ? "" : " so far"}, started `
        : "Requested "}
      <Ago value={startedAt ?? queuedAt} now={now} />
      {startedByWords(run)}
      {order === "sequential" && ", sequential"}
      {environments.length > 0 && `, environment ${environments.join(", ")}`}
      {places?.ids.includes(null) && sentFrom.length > 0 && ", from this portal"}
      <SentFromWords locations={sentFrom} />.{places && ` Of its places, ${placeRuleWords(places)}.`}
      {places?.deletedIds && ` Without ${plural(places.deletedIds.length, "deleted location")}.`}
      {run.lateAgentId &&
        ` Recorded late: ${lateAgentName ? `the agent ${lateAgentName}` : "an agent"} started it while the portal was away.`}
      {onlyOwn && " Changes only what it created itself."}
      {source.kind === "rerun" && (
        <>
          {source.from === undefined ? " What failed in " : ` From no. ${source.from} of `}
          <a href={href("/test-management/:apiId/runs/:runId", { apiId, runId: source.runId })}>an earlier run</a>.
        </>
      )}
      {counts.leftOut > 0 && ` ${plural(counts.leftOut, "unsafe test")} skipped.`}
    </>
  );
}

type RunActionsProps = Pick<RunViewProps, "apiId" | "run" | "mayRun" | "runKey">;

function RunActions({ apiId, run, mayRun, runKey }: RunActionsProps) {
  const location = { apiId, runId: run.id };
  const report = (format: string) => href("/test-management/:apiId/runs/:runId/report", location, { format });
  const failed = failedCount(run.counts);
  const mayCancel = run.state === "queued" || run.state === "running";
  return (
    <>
      {mayRun && (
        <form method="post" id={againForm} action={runAddress(apiId, run)}>
          <RunKey value={runKey} />
          {!isUnfinished(run) && failed > 0 && (
            <Button name="intent" value="rerun" variant="primary" icon="play">
              {`Run failed again (${failed.toLocaleString("en")})`}
            </Button>
          )}
          {mayCancel && (
            <Button name="intent" value="cancel" icon="close">
              Cancel
            </Button>
          )}
        </form>
      )}
      {run.source.kind !== "tests" && !isUnfinished(run) && (
        <LinkButton href={href("/test-management/:apiId/runs/:runId/comparison", location)}>
          Compare with the previous run
        </LinkButton>
      )}
      <Menu label="Report" icon="download">
        <MenuLink href={report("junit")}>JUnit XML</MenuLink>
        <MenuLink href={report("har")}>HTTP Archive (HAR)</MenuLink>
        <MenuLink href={report("json")}>JSON</MenuLink>
      </Menu>
    </>
  );
}

function RunCounted({ apiId, run, members }: Pick<RunViewProps, "apiId" | "run"> & { members: RunMember[] }) {
  const { counts } = run;
  const ended = counts.executions - counts.unfinished;
  return (
    <Stack gap="small">
      {isUnfinished(run) && (
        <Row gap="medium">
          <Progress
            id="run-progress"
            label="Finished executions"
            value={ended}
            max={Math.max(1, counts.executions)}
            valueText={`${ended.toLocaleString("en")} of ${counts.executions.toLocaleString("en")}`}
          />
          <LinkButton href={runAddress(apiId, run)} size="small" icon="refresh">
            Refresh
          </LinkButton>
        </Row>
      )}
      <RunStrip members={members} total={counts.executions} />
      <Row gap="small">
        <span>
          {plural(counts.tests, "test")}, {plural(counts.executions, "execution")}
        </span>
        {countedVerdicts
          .filter((verdict) => counts[verdict] > 0)
          .map((verdict) => (
            <VerdictCount key={verdict} status={verdict} count={counts[verdict]} />
          ))}
        {counts.cancelled > 0 && <VerdictCount status="cancelled" count={counts.cancelled} />}
      </Row>
    </Stack>
  );
}
