import type { TrendFigures, Trends } from "#contracts/test-analyzer/trends.ts";
import { type PlaceRow, PlaceTable } from "~/features/locations/place-table";
import { zoneWords } from "~/features/time-zone/zone-words";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { Row, Stack } from "~/ui/layout/layout";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { type Stat, Stats } from "~/ui/stat/stat";
import { MarkList } from "./mark-list";
import { RangeLinks } from "./range-links";
import { ShiftNotice } from "./shift-notice";
import { marksOfSteps } from "./step-marks";
import { TrendPlots } from "./trend-plots";
import type { TrendScope } from "./trend-steps";
import { formatShare, rangeWords } from "./trend-words";
import { groupWindows } from "./window-bands";

export interface TrendCardProps {
  trends: Trends;
  /** The scope of the trends; the organization if absent. */
  of?: TrendScope;
  /** Address of the current page. */
  address: string;
  /** Attributes of the island `plots`. */
  alive?: object;
}

/** Recent trends: the figures of a range, and plots of them with their numbers. */
export function TrendCard({ trends, of = {}, address, alive }: TrendCardProps) {
  const { range, timeZone, total } = trends;
  const marked = marksOfSteps(trends.marks, trends.points);
  const windows = groupWindows(trends.windows);
  const { pathname, search } = new URL(address, "http://portal.invalid");
  return (
    <Card
      title="Trends"
      actions={<RangeLinks address={address} current={range} />}
      footer={
        <Row justify="between">
          <span>
            Times in {zoneWords(timeZone)}.{" "}
            <a href={href("/time-zone", { returnTo: pathname + search })}>Choose another zone</a>
          </span>
          <Row gap="large">
            {of.apiId && <a href={href("/test-management/:apiId/marks", { apiId: of.apiId })}>Mark a deployment</a>}
            <a href={href("/trends.csv", { ...of, range })} download>
              Download as CSV
            </a>
          </Row>
        </Row>
      }
    >
      {total.executions === 0 ? (
        <NothingRan range={range} apiId={of.apiId} />
      ) : (
        <Stack gap="huge">
          {trends.shift && <ShiftNotice shift={trends.shift} timeZone={timeZone} />}
          <Stats items={getStats(total)} />
          {trends.places.length > 1 && (
            <PlaceTable
              rows={trends.places.map(toPlaceRow)}
              now={trends.places.some(({ last }) => last) ? trends.until : undefined}
            />
          )}
          <TrendPlots {...{ trends, marked, windows, alive }} scope={of} />
          <MarkList steps={marked} windows={windows} timeZone={timeZone} />
        </Stack>
      )}
    </Card>
  );
}

function toPlaceRow({ locationId, name, total, last }: Trends["places"][number]): PlaceRow {
  const { executions, failed, errored, p50, p95 } = total;
  const result = { verdict: last?.verdict ?? null, since: last?.since ?? null };
  return { locationId, name, executions, failed: failed + errored, p50, p95, ...result };
}

function NothingRan({ range, apiId }: { range: Trends["range"]; apiId: string | undefined }) {
  return (
    <p>
      No runs in these {rangeWords[range]}.{" "}
      {apiId ? (
        <a href={href("/test-management/:apiId/tests", { apiId })}>Run the tests</a>
      ) : (
        <a href={href("/api-management/list")}>Choose an API and run its tests</a>
      )}
      , or have <a href={href("/test-management/schedules")}>a schedule</a> run them.
    </p>
  );
}

function getStats({ executions, passRate, availability, flakiness, p50, p95, p99 }: TrendFigures): Stat[] {
  const time = (milliseconds: number | null) => (milliseconds === null ? "–" : formatMilliseconds(milliseconds));
  return [
    { label: "Pass rate", value: formatShare(passRate), detail: `of ${formatCount(executions)} executions` },
    { label: "Availability", value: formatShare(availability), detail: "without server errors" },
    { label: "Flakiness", value: formatShare(flakiness), detail: "passed late, or back and forth" },
    { label: "Median time", value: time(p50), detail: "half of responses are faster" },
    { label: "95 % within", value: time(p95), detail: "of responses" },
    { label: "99 % within", value: time(p99), detail: "of responses" },
  ];
}
