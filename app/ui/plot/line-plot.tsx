import { scaleUtc } from "d3-scale";
import { area, line } from "d3-shape";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import * as styles from "./plot.css";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { namesAt, type PlotMark, PlotMarks } from "./plot-marks";
import { anchorAt, percent, spreadTicks, type ValueBounds, type ValueScale, valueScale } from "./scale";
import { type SeriesColour, seriesColour } from "./series-colour";
import { GridLabels, GridLines } from "./value-grid";

export interface LinePlotPoint {
  at: Date;
  /** Null leaves a gap: nothing was measured. */
  value: number | null;
}

export interface LinePlotSeries {
  name: string;
  tone?: Tone;
  /** In chronological order. */
  points: readonly LinePlotPoint[];
}

export interface LinePlotProps extends Omit<PlotFrameProps, "legend" | "numbers" | "children" | "height"> {
  series: readonly LinePlotSeries[];
  /** Fills the area under the lines; for one series. */
  filled?: boolean;
  formatValue?: (value: number) => string;
  formatMoment?: (moment: Date) => string;
  /** Axis label, where the full one is too long for it. */
  formatTick?: (moment: Date) => string;
  /** Bounds of the value axis, which by default starts at zero and fits the values. */
  bounds?: ValueBounds;
  /** By the index of their moment among all series' moments in order. */
  marks?: readonly PlotMark[];
  /** Pixels. */
  height?: number;
}

/** Width of the path coordinates; the browser stretches it to the real one without thickening the lines. */
const pathWidth = 1000;

/** Values over time. */
export function LinePlot(props: LinePlotProps) {
  const { series, filled, formatValue = String, formatMoment = formatDay, formatTick = formatMoment, ...rest } = props;
  const { height = 160, bounds, marks = [], ...frame } = rest;
  const moments = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at.getTime())))].sort(
    (a, b) => a - b,
  );
  const scale = valueScale(
    series.flatMap(({ points }) => points.map(({ value }) => value ?? 0)),
    height,
    bounds,
  );
  const time = scaleUtc()
    .domain([moments[0] ?? 0, moments.at(-1) ?? 1])
    .range([0, 1]);
  const share = (at: Date | number) => (moments.length < 2 ? 0.5 : time(at));
  const values = new Map(series.map((one) => [one, new Map(one.points.map(({ at, value }) => [at.getTime(), value]))]));
  const valueAt = (one: LinePlotSeries, moment: number) => values.get(one)?.get(moment);
  const say = (value: number | null | undefined) => (value == null ? "–" : formatValue(value));

  return (
    <PlotFrame
      {...frame}
      height={height}
      legend={series.map(({ name, tone }, index) => ({ name, colour: seriesColour(index, tone) }))}
      numbers={{
        headers: ["Time", ...series.map(({ name }) => name), ...(marks.length > 0 ? ["Marks"] : [])],
        rows: moments.map((moment, index) => ({
          key: String(moment),
          cells: [
            formatMoment(new Date(moment)),
            ...series.map((one) => say(valueAt(one, moment))),
            ...(marks.length > 0 ? [namesAt(marks, index).join("; ")] : []),
          ],
        })),
      }}
    >
      <GridLines scale={scale} />
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
            {...{ scale, share, filled }}
            points={one.points}
            index={index}
            colour={seriesColour(index, one.tone)}
          />
        ))}
      </svg>
      {series.map((one, index) => (
        <g key={one.name} className={styles.seriesColour[seriesColour(index, one.tone)]}>
          {lonePoints(one.points).map(({ at, value }) => (
            <circle
              key={at.getTime()}
              cx={percent(share(at))}
              cy={scale.y(value ?? 0)}
              r="3"
              className={styles.shape}
            />
          ))}
        </g>
      ))}
      <PlotMarks marks={marks} scale={scale} getShare={(index) => share(moments[index] ?? 0)} />
      <GridLabels scale={scale} formatValue={formatValue} />
      {spreadTicks(moments).map((moment) => (
        <text
          key={moment}
          x={percent(share(moment))}
          y={height - 6}
          textAnchor={anchorAt(share(moment))}
          className={styles.axisLabel}
        >
          {formatTick(new Date(moment))}
        </text>
      ))}
      {moments.length <= 120 &&
        moments.map((moment, index) => {
          const from = index === 0 ? 0 : (share(moments[index - 1]!) + share(moment)) / 2;
          const to = index === moments.length - 1 ? 1 : (share(moment) + share(moments[index + 1]!)) / 2;
          const said = series.map((one) => `${one.name}: ${say(valueAt(one, moment))}`).join("\n");
          return (
            <rect
              key={moment}
              x={percent(from)}
              width={percent(to - from)}
              height={scale.bottom}
              className={styles.touched}
            >
              <title>{[formatMoment(new Date(moment)), said, ...namesAt(marks, index)].join("\n")}</title>
            </rect>
          );
        })}
    </PlotFrame>
  );
}

interface SeriesPathProps {
  points: readonly LinePlotPoint[];
  colour: SeriesColour;
  index: number;
  scale: ValueScale;
  share: (at: Date) => number;
  filled: boolean | undefined;
}

function SeriesPath({ points, colour, index, scale, share, filled }: SeriesPathProps) {
  const x = ({ at }: LinePlotPoint) => Math.round(share(at) * pathWidth * 10) / 10;
  const y = ({ value }: LinePlotPoint) => Math.round(scale.y(value ?? 0) * 10) / 10;
  const defined = ({ value }: LinePlotPoint) => value !== null;
  const outline = line<LinePlotPoint>().defined(defined).x(x).y(y)([...points]);
  const ground = area<LinePlotPoint>().defined(defined).x(x).y0(scale.bottom).y1(y)([...points]);
  const dash = styles.dash[(index % 4) as keyof typeof styles.dash];
  return (
    <g className={styles.seriesColour[colour]}>
      {filled && <path d={ground ?? ""} className={styles.area} />}
      <path d={outline ?? ""} className={joinClasses(styles.line, dash)} vectorEffect="non-scaling-stroke" />
    </g>
  );
}

/** Points without neighbours, which no line passes through. */
export function lonePoints(points: readonly LinePlotPoint[]): LinePlotPoint[] {
  return points.filter(
    ({ value }, index) =>
      value !== null && (points[index - 1]?.value ?? null) === null && (points[index + 1]?.value ?? null) === null,
  );
}

function formatDay(moment: Date): string {
  return moment.toLocaleDateString("en", { month: "short", day: "numeric", timeZone: "UTC" });
}
