import type { Tone } from "~/ui/tone";
import * as styles from "./plot.css";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { namesAt, type PlotMark, PlotMarks } from "./plot-marks";
import { anchorAt, percent, spreadTicks, valueScale } from "./scale";
import { seriesColour } from "./series-colour";
import { GridLabels, GridLines } from "./value-grid";

export interface BarPlotSeries {
  name: string;
  tone?: Tone;
}

export interface BarPlotBar {
  key: string;
  label: string;
  /** Axis label, where `label` is too long for it. */
  tick?: string;
  /** One for each series, in order; stacked from the base up. */
  values: readonly number[];
}

export interface BarPlotProps extends Omit<PlotFrameProps, "legend" | "numbers" | "children" | "height"> {
  series: readonly BarPlotSeries[];
  bars: readonly BarPlotBar[];
  /** Header of the first column of the numbers. */
  barsAre?: string;
  marks?: readonly PlotMark[];
  formatValue?: (value: number) => string;
  /** Pixels. */
  height?: number;
}

/** Stacked bars. */
export function BarPlot(props: BarPlotProps) {
  const { series, bars, barsAre = "Day", marks = [], formatValue = String, height = 160, ...frame } = props;
  const scale = valueScale(
    bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)),
    height,
  );
  const step = 1 / Math.max(1, bars.length);
  // A single bar as wide as the page would be too heavy.
  const width = Math.min(step * 0.72, 0.08);
  const labelled = new Set(spreadTicks(bars.map((_, index) => index)));
  return (
    <PlotFrame
      {...frame}
      height={height}
      legend={series.map(({ name, tone }, index) => ({ name, colour: seriesColour(index, tone) }))}
      numbers={{
        headers: [barsAre, ...series.map(({ name }) => name), ...(marks.length > 0 ? ["Marks"] : [])],
        rows: bars.map(({ key, label, values }, index) => ({
          key,
          cells: [label, ...values.map(formatValue), ...(marks.length > 0 ? [namesAt(marks, index).join("; ")] : [])],
        })),
      }}
    >
      <GridLines scale={scale} />
      {bars.map(({ key, label, tick = label, values }, barIndex) => {
        const middle = (barIndex + 0.5) * step;
        const said = series.map(({ name }, index) => `${name}: ${formatValue(values[index] ?? 0)}`).join("\n");
        return (
          <g key={key}>
            {stackBars(values).map(
              ({ from, to }, index) =>
                to > from && (
                  <rect
                    key={series[index]?.name}
                    x={percent(middle - width / 2)}
                    width={percent(width)}
                    y={scale.y(to)}
                    height={Math.max(1, scale.y(from) - scale.y(to))}
                    className={`${styles.shape} ${styles.seriesColour[seriesColour(index, series[index]?.tone)]}`}
                  />
                ),
            )}
            <rect x={percent(middle - step / 2)} width={percent(step)} height={scale.bottom} className={styles.touched}>
              <title>{[label, said, ...namesAt(marks, barIndex)].join("\n")}</title>
            </rect>
            {labelled.has(barIndex) && (
              <text x={percent(middle)} y={height - 6} textAnchor={anchorAt(middle)} className={styles.axisLabel}>
                {tick}
              </text>
            )}
          </g>
        );
      })}
      <PlotMarks marks={marks} scale={scale} getShare={(index) => (index + 0.5) * step} />
      <GridLabels scale={scale} formatValue={formatValue} />
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
