import type { Tone } from "~/ui/tone";
import { Patterns, patternOver } from "./patterns";
import * as styles from "./plot.css";
import { type PlotBand, PlotBands } from "./plot-bands";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { namesAt, type PlotMark, PlotMarks } from "./plot-marks";
import { middleOf, type PlotStep } from "./plot-steps";
import { percent, valueScale } from "./scale";
import { seriesColour } from "./series-colour";
import { StepAxis } from "./step-axis";
import { GridLabels, GridLines } from "./value-grid";

export interface BarPlotSeries {
  name: string;
  tone?: Tone;
}

export interface BarPlotBar extends PlotStep {
  /** One for each series, in order; stacked from the base up. */
  values: readonly number[];
}

export interface BarPlotProps extends Omit<PlotFrameProps, "legend" | "numbers" | "children" | "height" | "hasAxis"> {
  series: readonly BarPlotSeries[];
  bars: readonly BarPlotBar[];
  /** Header of the first column of the numbers. */
  barsAre?: string;
  marks?: readonly PlotMark[];
  bands?: readonly PlotBand[];
  /** Labels marks and bands with their names if they fit. */
  named?: boolean;
  formatValue?: (value: number) => string;
  /** Pixels. */
  height?: number;
}

/** Stacked bars. */
export function BarPlot(props: BarPlotProps) {
  const { series, bars, barsAre = "Day", marks = [], bands = [], named, ...rest } = props;
  const { formatValue = String, height = 160, ...frame } = rest;
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const scale = valueScale(totals, {
    height,
    labels: marks.length + bands.length,
    whole: totals.every(Number.isInteger),
  });
  const step = 1 / Math.max(1, bars.length);
  // A single bar as wide as the page would be too heavy.
  const width = Math.min(step * 0.72, 0.08);
  return (
    <PlotFrame
      {...frame}
      hasAxis
      height={height}
      legend={series.map(({ name, tone }, index) => ({ name, colour: seriesColour(index, tone), patterned: true }))}
      numbers={{
        headers: [barsAre, ...series.map(({ name }) => name), ...(marks.length > 0 ? ["Marks"] : [])],
        rows: bars.map(({ key, label, href, values }, index) => ({
          ...{ key, href },
          cells: [label, ...values.map(formatValue), ...(marks.length > 0 ? [namesAt(marks, index).join("; ")] : [])],
        })),
      }}
    >
      <Patterns id={frame.id} />
      <PlotBands id={frame.id} bands={bands} scale={scale} named={named} />
      <GridLines scale={scale} />
      {bars.map(({ key, values }, barIndex) => (
        <g key={key}>
          {stackBars(values).map(({ from, to }, index) => {
            if (to <= from) return null;
            const colour = seriesColour(index, series[index]?.tone);
            const shape = {
              x: percent(middleOf(barIndex, bars.length) - width / 2),
              width: percent(width),
              y: scale.y(to),
              height: Math.max(2, scale.y(from) - scale.y(to)),
            };
            return (
              <g key={series[index]?.name} className={styles.seriesColour[colour]}>
                <rect {...shape} className={styles.shape} />
                {patternOver(frame.id, colour) && <rect {...shape} fill={patternOver(frame.id, colour)} />}
              </g>
            );
          })}
        </g>
      ))}
      <PlotMarks marks={marks} scale={scale} named={named} getShare={(index) => middleOf(index, bars.length)} />
      <GridLabels scale={scale} formatValue={formatValue} />
      <StepAxis
        steps={bars}
        getLines={(index) => series.map(({ name }, one) => `${name}: ${formatValue(bars[index]?.values[one] ?? 0)}`)}
        marks={marks}
        bottom={scale.bottom}
        height={height}
      />
    </PlotFrame>
  );
}

/** Start and end of each part of a stack. */
export function stackBars(values: readonly number[]): { from: number; to: number }[] {
  let top = 0;
  return values.map((value) => {
    const from = top;
    top += value;
    return { from, to: top };
  });
}
