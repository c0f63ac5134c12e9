import { apiColumns } from "~/features/apis/api-columns";
import { apiEdge } from "~/features/apis/api-state";
import { formatShort } from "~/features/recoveries/recovery-words";
import { HeldBack } from "~/features/schedules/held-back";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Ago } from "~/ui/moment/ago";
import { useFormatMoment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { CheckFilters } from "./check-filters";
import * as styles from "./check-list.css";
import type { Check, listChecks, NextRun } from "./checks.server";

export interface CheckListProps {
  listed: NonNullable<Awaited<ReturnType<typeof listChecks>>>;
  /** The page's own address. */
  address: string;
  /** Reference time of "ago" and of today. */
  now: string;
}

/** One row per API, failing ones first. */
export function CheckList({ listed, address, now }: CheckListProps) {
  const { checks, filters, tags, total, nextCursor, range } = listed;
  const shared = apiColumns<Check>(range, now);
  const everything = listAddress(address, { state: undefined, tag: undefined });
  const hasPages = Boolean(filters.cursor || nextCursor);
  return (
    <Card
      id="checks"
      title={<a href={href("/api-management/list")}>APIs{total === undefined ? "" : ` ${formatCount(total)}`}</a>}
      actions={<CheckFilters {...{ address, filters, tags }} />}
      flush
      footer={hasPages && <CursorPages label="Pages of APIs" {...{ address, cursor: filters.cursor, nextCursor }} />}
    >
      {checks.length === 0 ? (
        <div className={styles.none}>
          <EmptyState title="No matching APIs" action={<LinkButton href={everything}>Show all APIs</LinkButton>}>
            No API has this state and this tag.
          </EmptyState>
        </div>
      ) : (
        <Table
          bare
          caption="APIs and the state of their tests, failing first"
          captionHidden
          rows={checks}
          rowKey={({ id }) => id}
          rowEdge={({ executions }) => apiEdge(executions)}
          columns={[
            shared.name,
            shared.state,
            shared.runs,
            shared.availability,
            shared.p95,
            {
              key: "since",
              header: "Failing since",
              cell: ({ executions }) =>
                executions?.failingSince ? <Ago value={executions.failingSince} now={now} /> : null,
            },
            { key: "next", header: "Next run", cell: ({ next }) => <Next next={next} now={now} /> },
          ]}
        />
      )}
    </Card>
  );
}

function Next({ next, now }: { next: NextRun; now: string }) {
  const format = useFormatMoment();
  if (next === undefined) return "unknown";
  if (next === "heldBack") return <HeldBack />;
  if (next === null) return "Not scheduled";
  return <time dateTime={next.at}>{formatShort(next.at, now, format)}</time>;
}
