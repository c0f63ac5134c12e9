import type { PublishedComponent } from "#contracts/test-analyzer/status-pages.ts";
import { DayStrip } from "~/features/status/day-strip";
import { countMeasured, shareTone, shareWords } from "~/features/status/status-words";
import { formatShare } from "~/features/trends/trend-words";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Stats } from "~/ui/stat/stat";
import { Table } from "~/ui/table/table";

export interface HistoryProps {
  history: Pick<PublishedComponent, "days" | "share30" | "share90" | "counts" | "objective">;
  /** Of the component, where the page has several. */
  name?: string;
}

/** The last 90 days: of the days that were measured. */
export function History({ history, name }: HistoryProps) {
  const what = history.counts === "passRate" ? "of checks passed" : "of requests succeeded";
  const caption = "The last 90 days, newest first";
  return (
    <Stack>
      <Stats
        items={[
          { label: "30-day uptime", share: history.share30, days: history.days.slice(-30) },
          { label: "90-day uptime", share: history.share90, days: history.days },
        ].map(({ label, share, days }) => ({
          ...{ label, value: formatShare(share), tone: shareTone(share, history) },
          detail: `${what}, on ${plural(countMeasured(days), "measured day")}`,
        }))}
      />
      <DayStrip status={history} />
      <Disclosure summary={name ? `Day by day: ${name}` : "Day by day"}>
        <Table
          caption={name ? `${name}: ${caption}` : caption}
          captionHidden
          rows={history.days.toReversed()}
          rowKey={({ day }) => day}
          columns={[
            { key: "day", header: "Day (UTC)", rowHeader: true, cell: ({ day }) => day },
            { key: "share", header: "How it was", cell: ({ share }) => shareWords(share, history) },
            { key: "results", header: "Checks", numeric: true, cell: ({ results }) => results },
          ]}
        />
      </Disclosure>
    </Stack>
  );
}
