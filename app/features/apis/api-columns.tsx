import type { ApiSummary } from "#contracts/api-registry/apis.ts";
import type { TrendRange } from "#contracts/test-analyzer/trends.ts";
import { formatShare, rangeWords } from "~/features/trends/trend-words";
import { stripWords } from "~/features/verdict/strip-words";
import { statusWords } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { Row } from "~/ui/layout/layout";
import { useFormatMoment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Strip } from "~/ui/strip/strip";
import { nameWithTags } from "~/ui/table/one-line.css";
import type { Column } from "~/ui/table/table";
import * as styles from "./api-columns.css";
import { apiState } from "./api-state";
import type { ApiStatus } from "./api-statuses.server";

export type ApiRow = Pick<ApiSummary, "id" | "name" | "tags"> & ApiStatus;

/**
 * Columns that every list of APIs shares: name, state, last runs, availability and response time.
 * @param range of the figures
 * @param now reference time of "ago"
 */
export function apiColumns<Row extends ApiRow>(range: TrendRange, now: string) {
  return {
    name: {
      key: "name",
      header: "API",
      rowHeader: true,
      cell: ({ id, name, tags }) => (
        <Row gap="tiny" className={nameWithTags}>
          <a href={href("/test-management/:apiId/manage", { apiId: id })}>{name}</a>
          {tags.map((tag) => (
            <Badge key={tag} icon={null}>
              {tag}
            </Badge>
          ))}
        </Row>
      ),
    },
    state: {
      key: "state",
      header: "State",
      selfEvident: true,
      cell: ({ id, executions }) => <ApiState apiId={id} executions={executions} />,
    },
    runs: {
      key: "runs",
      header: "Last runs",
      cell: ({ id, runs }) => <LastRuns apiId={id} runs={runs} now={now} />,
    },
    availability: {
      key: "availability",
      header: `Available, ${rangeWords[range]}`,
      numeric: true,
      cell: ({ figures }) => (figures ? formatShare(figures.availability) : "–"),
    },
    p95: {
      key: "p95",
      header: "95 % within",
      numeric: true,
      cell: ({ figures }) => (figures?.p95 == null ? "–" : formatMilliseconds(figures.p95)),
    },
  } satisfies Record<string, Column<Row>>;
}

/** The state as a badge, and the last verdicts behind it, each linked to those tests. */
function ApiState({ apiId, executions }: Pick<ApiStatus, "executions"> & { apiId: string }) {
  const { word, tone, icon } = apiState(executions);
  const { recovering, failed = 0, errored = 0, regional = 0, flaky = 0, passed = 0, unfinished = 0 } = executions ?? {};
  const tests = (verdict: "failed" | "errored" | "regional" | "flaky" | "passed") =>
    href("/test-management/:apiId/tests", { apiId }, { verdict });
  const counts = [
    { count: failed, word: "failed", address: tests("failed") },
    { count: errored, word: "errored", address: tests("errored") },
    {
      ...{ count: recovering?.length ?? 0, word: "recovering" },
      address: href("/test-management/incidents", { apiId }),
    },
    { count: regional, word: "regional", address: tests("regional") },
    { count: flaky, word: "flaky", address: tests("flaky") },
    { count: passed, word: "passed", address: tests("passed") },
    { count: unfinished, word: "running", address: href("/test-management/:apiId/runs", { apiId }) },
  ].filter(({ count }) => count > 0);
  return (
    <Row gap="small" className={styles.state}>
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      {counts.length > 0 && (
        <span className={styles.counts}>
          {counts.map(({ count, word, address }) => (
            <a key={word} href={address}>
              {formatCount(count)} {word}
            </a>
          ))}
        </span>
      )}
    </Row>
  );
}

function LastRuns({ apiId, runs, now }: Pick<ApiStatus, "runs"> & { apiId: string; now: string }) {
  const format = useFormatMoment();
  if (!runs) return "unknown";
  if (runs.length === 0) return "–";
  const items = runs.toReversed().map(({ runId, verdict, finishedAt }) => {
    const { word, tone } = statusWords[verdict ?? "cancelled"];
    return { key: runId, tone, label: `${word}, ${format(finishedAt)}` };
  });
  return (
    <Strip text={stripWords(runs, "run", now)} items={items} href={href("/test-management/:apiId/runs", { apiId })} />
  );
}
