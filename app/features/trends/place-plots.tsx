import type { TrendPoint, Trends } from "#contracts/test-analyzer/trends.ts";
import { LinePlot, type LinePlotSeries } from "~/ui/plot/line-plot";
import type { PlotBand } from "~/ui/plot/plot-bands";
import type { PlotMark } from "~/ui/plot/plot-marks";
import type { PlotStep } from "~/ui/plot/plot-steps";
import { areFarApart } from "~/ui/plot/scale";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { formatShare } from "./trend-words";

interface PlacePlotsProps {
  places: Trends["places"];
  steps: readonly PlotStep[];
  shared: { marks: readonly PlotMark[]; bands: readonly PlotBand[]; isRead: boolean };
  formatGrid: (milliseconds: number) => string;
  height: number;
}

/** How executions ended and how long responses took, with a line for each place. */
export function PlacePlots({ places, steps, shared, formatGrid, height }: PlacePlotsProps) {
  const getSeries = (read: (point: TrendPoint) => number | null): LinePlotSeries[] =>
    places.map(({ name, points }) => ({ name, values: points.map(read) }));
  const rates = getSeries(({ passRate }) => passRate);
  const times = getSeries(({ p50 }) => p50);
  return (
    <>
      <LinePlot
        {...shared}
        id="pass-rates-by-place"
        title="Pass rate by place"
        description="What each place saw, whatever the circle's rule says."
        height={height}
        steps={saySeries(steps, rates, formatShare)}
        series={rates}
        bounds={[0, 1]}
        formatValue={formatShare}
      />
      <LinePlot
        {...shared}
        id="response-times-by-place"
        title="Response time by place"
        description="Median of each place."
        height={height}
        steps={saySeries(steps, times, formatMilliseconds)}
        series={times}
        logarithmic={areFarApart(times.flatMap(({ values }) => values))}
        formatValue={formatMilliseconds}
        formatGrid={formatGrid}
      />
    </>
  );
}

/** `29 Nov, 13:00–14:00: This portal 100 %, Berlin 50 %` */
function saySeries(
  steps: readonly PlotStep[],
  series: readonly LinePlotSeries[],
  formatValue: (value: number) => string,
): PlotStep[] {
  return steps.map((step, index) => {
    const values = series.flatMap(({ name, values }) => {
      const value = values[index] ?? null;
      return value === null ? [] : [`${name} ${formatValue(value)}`];
    });
    return { ...step, said: `${step.label}: ${values.join(", ") || "nothing ran"}` };
  });
}
