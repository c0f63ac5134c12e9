import type { TrendPoint, Trends } from "#contracts/test-analyzer/trends.ts";
import { plural } from "~/ui/count/plural";
import { BarPlot } from "~/ui/plot/bar-plot";
import { LinePlot, type LinePlotSeries } from "~/ui/plot/line-plot";
import { areFarApart, type ValueBounds } from "~/ui/plot/scale";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { PlacePlots } from "./place-plots";
import { plotMarks, type StepMarks } from "./step-marks";
import * as styles from "./trend-plots.css";
import { type TrendScope, trendSteps } from "./trend-steps";
import { formatShare, stepNames } from "./trend-words";
import { type WindowTimes, windowBands } from "./window-bands";

/** Of the two plots that are read first, and of the others. */
const height = 208;
const smallHeight = 128;

export interface TrendPlotsProps {
  trends: Trends;
  scope: TrendScope;
  marked: StepMarks[];
  windows: readonly WindowTimes[];
  /** Attributes of the island that shows a step's values on hover and by keyboard. */
  alive: object | undefined;
}

/**
 * The steps of a range, in plots with the same axis: how executions ended and how long responses took, then the share of
 * successes and of unsteady results.
 */
export function TrendPlots({ trends, scope, marked, windows, alive }: TrendPlotsProps) {
  const { points, range } = trends;
  const steps = trendSteps(trends, { scope, marked });
  const shared = { marks: plotMarks(marked), bands: windowBands(windows, trends), isRead: true };
  const getSeries = (name: string, read: (point: TrendPoint) => number | null): LinePlotSeries => ({
    name,
    values: points.map(read),
  });
  const rates = [
    getSeries("Pass rate", (point) => point.passRate),
    getSeries("Availability", (point) => point.availability),
  ];
  const times = [
    getSeries("Median", ({ p50 }) => p50),
    getSeries("95 % within", ({ p95 }) => p95),
    getSeries("99 % within", ({ p99 }) => p99),
  ];
  const logarithmic = areFarApart(times.flatMap(({ values }) => values));
  const used = points.filter(({ executions }) => executions > 0).length;
  return (
    <div className={styles.plots} {...alive} data-when="visible">
      <BarPlot
        {...shared}
        id="executions"
        title="Executions"
        description={`Tests ran in ${used} of ${plural(points.length, stepNames[range], stepPlurals[range])}.`}
        barsAre="From"
        height={height}
        named
        series={[
          { name: "Passed", tone: "success" },
          { name: "Flaky", tone: "info" },
          { name: "Errored", tone: "warning" },
          { name: "Failed", tone: "danger" },
        ]}
        bars={steps.map((step, index) => {
          const { passed, flaky, errored, failed } = points[index]!;
          return { ...step, values: [passed, flaky, errored, failed] };
        })}
      />
      <LinePlot
        {...shared}
        id="response-times"
        title="Response time"
        description={
          logarithmic ? "Each line of the grid is ten times the one below." : "Of responses, by their last byte."
        }
        height={height}
        steps={steps}
        series={times}
        logarithmic={logarithmic}
        formatValue={formatMilliseconds}
        formatGrid={formatRound}
      />
      {trends.places.length > 1 && (
        <PlacePlots places={trends.places} formatGrid={formatRound} height={height} {...{ steps, shared }} />
      )}
      <div className={styles.pair}>
        <LinePlot
          {...shared}
          id="rates"
          title="Pass rate and availability"
          description="Every response counts as available, except server errors."
          height={smallHeight}
          steps={steps}
          series={rates}
          bounds={getBounds(rates)}
          formatValue={formatShare}
        />
        <LinePlot
          {...shared}
          id="flakiness"
          title="Flakiness"
          description="Passed only when repeated, or changed back and forth."
          height={smallHeight}
          filled
          steps={steps}
          series={[getSeries("Flakiness", ({ flakiness }) => flakiness)]}
          formatValue={formatShare}
        />
      </div>
    </div>
  );
}

const stepPlurals: Record<Trends["range"], string> = {
  "24h": "hours",
  "7d": "quarters of a day",
  "30d": "days",
  "90d": "days",
};

/** `10 ms`, `1.5 s`: without trailing zeros. */
const formatRound = (milliseconds: number) =>
  formatMilliseconds(milliseconds).replace(/\.?0+(?= )/, (zeros) => (zeros.startsWith(".") ? "" : zeros));

/** Shares close to 1 would be one line at the top: the axis begins at the next lower of these. */
function getBounds(series: LinePlotSeries[]): ValueBounds {
  const least = Math.min(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 1)));
  return [[0.99, 0.9, 0.5].find((bound) => bound <= least) ?? 0, 1];
}
