import { area, line } from "d3-shape";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { Patterns } from "./patterns";
import * as styles from "./plot.css";
import { type PlotBand, PlotBands } from "./plot-bands";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { namesAt, type PlotMark, PlotMarks } from "./plot-marks";
import { middleOf, type PlotStep } from "./plot-steps";
import { PointMark } from "./point-mark";
import { percent, type ValueBounds, type ValueScale, valueScale } from "./scale";
import { type SeriesColour, seriesColour } from "./series-colour";
import { StepAxis } from "./step-axis";
import { GridLabels, GridLines } from "./value-grid";

export interface LinePlotSeries {
  name: string;
  tone?: Tone;
  /** One for each step. Null leaves a gap: nothing was measured. */
  values: readonly (number | null)[];
}

export interface LinePlotProps extends Omit<PlotFrameProps, "legend" | "numbers" | "children" | "height" | "hasAxis"> {
  /** In chronological order. */
  steps: readonly PlotStep[];
  series: readonly LinePlotSeries[];
  /** Fills the area under the lines; for one series. */
  filled?: boolean;
  formatValue?: (value: number) => string;
  /** Labels of the value axis, where the full ones are too exact for it. */
  formatGrid?: (value: number) => string;
  /** Bounds of the value axis, which by default starts at zero and fits the values. */
  bounds?: ValueBounds;
  /** Each line of the grid is ten times the one below. */
  logarithmic?: boolean;
  marks?: readonly PlotMark[];
  bands?: readonly PlotBand[];
  /** Labels marks and bands with their names if they fit. */
  named?: boolean;
  /** Pixels. */
  height?: number;
}

/** Values over time. A lone value between two gaps gets a marker, and a stem that joins the series. */
export function LinePlot(props: LinePlotProps) {
  const { steps, series, filled, formatValue = String, formatGrid = formatValue, bounds, logarithmic, ...rest } = props;
  const { height = 160, marks = [], bands = [], named, ...frame } = rest;
  const scale = valueScale(
    series.flatMap(({ values }) => values.filter((value) => value !== null)),
    { height, bounds, logarithmic, labels: marks.length + bands.length },
  );
  const share = (index: number) => middleOf(index, steps.length);
  const say = (value: number | null | undefined) => (value == null ? "–" : formatValue(value));
  return (
    <PlotFrame
      {...frame}
      hasAxis
      height={height}
      legend={series.map(({ name, tone }, index) => ({ name, colour: seriesColour(index, tone), line: index }))}
      numbers={{
        headers: ["Time", ...series.map(({ name }) => name), ...(marks.length > 0 ? ["Marks"] : [])],
        rows: steps.map(({ key, label, href }, index) => ({
          ...{ key, href },
          cells: [
            label,
            ...series.map(({ values }) => say(values[index])),
            ...(marks.length > 0 ? [namesAt(marks, index).join("; ")] : []),
          ],
        })),
      }}
    >
      {bands.length > 0 && <Patterns id={frame.id} />}
      <PlotBands id={frame.id} bands={bands} scale={scale} named={named} />
      <GridLines scale={scale} />
      <Stems series={series} scale={scale} share={share} />
      <svg
        viewBox={`0 0 ${pathWidth} ${height}`}
        preserveAspectRatio="none"
        width="100%"
        height={height}
        className={styles.drawing}
        aria-hidden="true"
      >
        {series.map((one, index) => (
          <SeriesPath
            key={one.name}
            {...{ scale, share, filled, index }}
            values={one.values}
            colour={seriesColour(index, one.tone)}
          />
        ))}
      </svg>
      {series.map((one, index) => (
        <g key={one.name} className={styles.seriesColour[seriesColour(index, one.tone)]}>
          {lonePoints(one.values).map((at) => (
            <PointMark key={at} kind={index} x={percent(share(at))} y={scale.y(one.values[at]!)} />
          ))}
        </g>
      ))}
      <PlotMarks marks={marks} scale={scale} named={named} getShare={share} />
      <GridLabels scale={scale} formatValue={formatGrid} />
      <StepAxis
        steps={steps}
        getLines={(index) => series.map(({ name, values }) => `${name}: ${say(values[index])}`)}
        marks={marks}
        bottom={scale.bottom}
        height={height}
      />
    </PlotFrame>
  );
}

/** Width of the path coordinates; the browser stretches it to the real one without thickening the lines. */
const pathWidth = 1000;

/** At lone points the values of several series belong together: a line joins the lowest and the highest. */
function Stems(props: { series: readonly LinePlotSeries[]; scale: ValueScale; share: (index: number) => number }) {
  const { series, scale, share } = props;
  const lone = new Set(series.flatMap(({ values }) => lonePoints(values)));
  return [...lone].map((index) => {
    const ys = series.flatMap(({ values }) => (values[index] == null ? [] : [scale.y(values[index])]));
    const x = percent(share(index));
    return <line key={index} x1={x} x2={x} y1={Math.min(...ys)} y2={Math.max(...ys)} className={styles.stem} />;
  });
}

interface SeriesPathProps {
  values: readonly (number | null)[];
  colour: SeriesColour;
  index: number;
  scale: ValueScale;
  share: (index: number) => number;
  filled: boolean | undefined;
}

function SeriesPath({ values, colour, index, scale, share, filled }: SeriesPathProps) {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  const x = (_: number | null, at: number) => rounded(share(at) * pathWidth);
  const y = (value: number | null) => rounded(scale.y(value ?? 0));
  const defined = (value: number | null) => value !== null;
  const outline = line<number | null>().defined(defined).x(x).y(y)(values);
  const ground = area<number | null>().defined(defined).x(x).y0(scale.bottom).y1(y)(values);
  const dash = styles.dash[(index % 4) as keyof typeof styles.dash];
  return (
    <g className={styles.seriesColour[colour]}>
      {filled && <path d={ground ?? ""} className={styles.area} />}
      <path d={outline ?? ""} className={joinClasses(styles.line, dash)} vectorEffect="non-scaling-stroke" />
    </g>
  );
}

/** Indexes of values without neighbours, which no line passes through. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}
