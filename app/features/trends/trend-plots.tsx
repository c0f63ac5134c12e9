import type { TrendPoint, Trends } from "#contracts/test-analyzer/trends.ts";
import { BarPlot } from "~/ui/plot/bar-plot";
import { LinePlot, type LinePlotSeries } from "~/ui/plot/line-plot";
import type { ValueBounds } from "~/ui/plot/scale";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { plotMarks, type StepMarks } from "./step-marks";
import * as styles from "./trend-plots.css";
import { formatShare, stepWords } from "./trend-words";

const height = 132;

/** The steps of a range: how executions ended, the share of successes, and durations. */
export function TrendPlots({ trends: { points, range, timeZone }, marked }: { trends: Trends; marked: StepMarks[] }) {
  const marks = plotMarks(marked);
  const steps = points.map((point) => ({
    ...point,
    at: new Date(point.from),
    ...stepWords(point.from, range, timeZone),
  }));
  const words = new Map(steps.map((step) => [step.at.getTime(), step]));
  const shared = {
    ...{ height, marks },
    formatMoment: (at: Date) => words.get(at.getTime())!.label,
    formatTick: (at: Date) => words.get(at.getTime())!.tick,
  };
  const getSeries = (name: string, read: (point: TrendPoint) => number | null): LinePlotSeries => ({
    name,
    points: steps.map((step) => ({ at: step.at, value: read(step) })),
  });
  const rates = [
    getSeries("Pass rate", (point) => point.passRate),
    getSeries("Availability", (point) => point.availability),
  ];
  return (
    <div className={styles.plots}>
      <BarPlot
        id="executions"
        title="Executions"
        barsAre="From"
        height={height}
        marks={marks}
        series={[
          { name: "Passed", tone: "success" },
          { name: "Flaky", tone: "info" },
          { name: "Errored", tone: "warning" },
          { name: "Failed", tone: "danger" },
        ]}
        bars={steps.map(({ from, label, tick, passed, flaky, errored, failed }) => ({
          ...{ key: from, label, tick },
          values: [passed, flaky, errored, failed],
        }))}
      />
      <LinePlot
        id="rates"
        title="Pass rate and availability"
        series={rates}
        bounds={getBounds(rates)}
        formatValue={formatShare}
        {...shared}
      />
      <LinePlot
        id="response-times"
        title="Response time"
        series={[
          getSeries("Median", ({ p50 }) => p50),
          getSeries("95 % within", ({ p95 }) => p95),
          getSeries("99 % within", ({ p99 }) => p99),
        ]}
        formatValue={formatMilliseconds}
        {...shared}
      />
      <LinePlot
        id="flakiness"
        title="Flakiness"
        filled
        series={[getSeries("Flakiness", ({ flakiness }) => flakiness)]}
        formatValue={formatShare}
        {...shared}
      />
    </div>
  );
}

/** Shares close to 1 would be one line at the top: the axis begins at the next lower of these. */
function getBounds(series: LinePlotSeries[]): ValueBounds {
  const least = Math.min(1, ...series.flatMap(({ points }) => points.map(({ value }) => value ?? 1)));
  return [[0.99, 0.9, 0.5].find((bound) => bound <= least) ?? 0, 1];
}
