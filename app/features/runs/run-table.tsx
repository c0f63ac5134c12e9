import type { OutcomeSort } from "#contracts/test-executioner/executions.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import { runAddress } from "~/features/runs/run-address";
import { countedVerdicts, runTitle, sourceWords, starterWords } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { VerdictCount } from "~/features/verdict/verdict-count";
import { getEdge, getStatus } from "~/features/verdict/verdict-words";
import { Row } from "~/ui/layout/layout";
import { sortLink } from "~/ui/list-page/sort-link";
import { Ago } from "~/ui/moment/ago";
import { useFormatMoment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { tickColumn } from "~/ui/selection/tick-column";
import { Table } from "~/ui/table/table";

export interface RunTableProps {
  /** Undefined for runs of all APIs, which are named. */
  apiId: string | undefined;
  runs: readonly RunSummary[];
  /** Reference time of "ago". */
  now: string;
  /** The address and order of a list that is sorted by the heads of columns. */
  sorting?: { address: string; sort: OutcomeSort | undefined };
  /** Ids of the ticked runs, in a list with actions for them. */
  ticked?: readonly string[];
}

/** Runs, each linked to its page. */
export function RunTable({ apiId, runs, now, sorting, ticked }: RunTableProps) {
  const format = useFormatMoment();
  const sortBy = (first: OutcomeSort) => sorting && sortLink(sorting.address, sorting.sort ?? "-started", first);
  return (
    <Table
      caption="Runs"
      captionHidden
      rows={runs}
      rowKey={({ id }) => id}
      rowEdge={(run) => getEdge(getStatus(run))}
      columns={[
        ...(ticked ? [tickColumn<RunSummary>(ticked, (run) => `${runTitle(run)}, ${format(run.queuedAt)}`)] : []),
        {
          key: "source",
          header: "Run",
          rowHeader: true,
          cell: (run) => {
            const words = sourceWords(run.source, run.counts);
            const of = apiId ?? run.apis[0]?.apiId;
            return of ? <a href={runAddress(of, run)}>{words}</a> : words;
          },
        },
        ...(apiId ? [] : [{ key: "apis", header: "APIs", selfEvident: true, cell: nameApis }]),
        {
          key: "verdict",
          header: "Verdict",
          selfEvident: true,
          beside: true,
          sort: sortBy("verdict"),
          cell: (run) => <VerdictBadge status={getStatus(run)} />,
        },
        { key: "counts", header: "Executions", selfEvident: true, cell: ({ counts }) => <Counted counts={counts} /> },
        {
          key: "started",
          header: "Started",
          sort: sortBy("-started"),
          cell: ({ startedAt, queuedAt }) => <Ago value={startedAt ?? queuedAt} now={now} />,
        },
        {
          key: "time",
          header: "Took",
          numeric: true,
          cell: ({ startedAt, finishedAt }) =>
            startedAt && finishedAt ? formatMilliseconds(Date.parse(finishedAt) - Date.parse(startedAt)) : "–",
        },
        { key: "trigger", header: "Started by", clipped: true, cell: starterWords },
      ]}
    />
  );
}

const nameApis = ({ apis }: RunSummary) => [...new Set(apis.map(({ apiName }) => apiName))].join(", ");

function Counted({ counts }: Pick<RunSummary, "counts">) {
  const displayed = countedVerdicts.filter((verdict) => counts[verdict] > 0);
  return (
    <Row gap="tiny">
      {displayed.map((verdict) => (
        <VerdictCount key={verdict} status={verdict} count={counts[verdict]} />
      ))}
      {counts.unfinished > 0 && <VerdictCount status="running" count={counts.unfinished} />}
      {counts.cancelled > 0 && <VerdictCount status="cancelled" count={counts.cancelled} />}
    </Row>
  );
}
