import { shorten } from "#libraries/text/shorten.ts";
import type { Tone } from "~/ui/tone";
import * as styles from "./plot.css";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { anchorAt, percent } from "./scale";
import { formatMilliseconds } from "./waterfall";

export interface TimelineSpan {
  key: string;
  label: string;
  tone: Tone;
  /** Start of its waiting time, relative to the whole; drawn as a thin line up to the start. */
  waitsFromMilliseconds?: number;
  /** Relative to the start of the whole; null while it waits. */
  startMilliseconds: number | null;
  /** Null while it is in progress. */
  endMilliseconds: number | null;
  /** Details, one cell for each of `detailsAre`. */
  details: readonly string[];
}

export interface TimelineProps extends Omit<PlotFrameProps, "legend" | "numbers" | "children" | "height"> {
  spans: readonly TimelineSpan[];
  totalMilliseconds: number;
  /** Header of the first column of the numbers. */
  spansAre: string;
  detailsAre?: readonly string[];
}

/** Labels for the ends of the axis, below the spans. */
const axisHeight = 22;
const maxHeight = 480;
/** Spans that are labelled; more would make the page too long. */
const maxLabelled = 30;
/** Of a span with its label above it. */
const labelledHeight = 24;
const labelHeight = 14;
/** A text in SVG does not wrap. */
const maxLabelLength = 60;

/** Spans of time: one line each, from start to end, on one time axis; with their labels where there is room. */
export function Timeline(props: TimelineProps) {
  const { spans, totalMilliseconds: total, spansAre, detailsAre = [], ...frame } = props;
  const isLabelled = spans.length <= maxLabelled;
  const step = isLabelled ? labelledHeight : Math.max(4, Math.min(14, maxHeight / spans.length));
  const labelRoom = isLabelled ? labelHeight : 0;
  const thickness = Math.max(2, step - labelRoom - 3);
  const bottom = Math.ceil(step * spans.length) + 2;
  const share = (milliseconds: number) => (total > 0 ? Math.min(1, Math.max(0, milliseconds / total)) : 0);
  return (
    <PlotFrame
      {...frame}
      legend={[]}
      height={bottom + axisHeight}
      numbers={{
        headers: [spansAre, "Started after", "Took", ...detailsAre],
        rows: spans.map((span) => ({ key: span.key, cells: [span.label, ...getTimes(span), ...span.details] })),
      }}
    >
      {[0, 0.5, 1].map((at) => (
        <g key={at}>
          <line x1={percent(at)} x2={percent(at)} y1="0" y2={bottom} className={styles.gridLine} />
          <text x={percent(at)} y={bottom + 15} textAnchor={anchorAt(at)} className={styles.axisLabel}>
            {at === 0 ? "0" : formatMilliseconds(total * at)}
          </text>
        </g>
      ))}
      {spans.map((span, index) => {
        const y = index * step + labelRoom + 1;
        const from = span.startMilliseconds === null ? 1 : share(span.startMilliseconds);
        const to = span.endMilliseconds === null ? 1 : share(span.endMilliseconds);
        const [started, took] = getTimes(span);
        const lines = detailsAre.map((name, position) => `${name}: ${span.details[position]}`);
        return (
          <g key={span.key}>
            {isLabelled && (
              <text x="0" y={y - 4} className={styles.stepLabel}>
                {shorten(span.label, maxLabelLength)}
              </text>
            )}
            {span.waitsFromMilliseconds !== undefined && (
              <line
                x1={percent(share(span.waitsFromMilliseconds))}
                x2={percent(from)}
                y1={y + thickness / 2}
                y2={y + thickness / 2}
                className={styles.waitLine}
              />
            )}
            {span.startMilliseconds !== null && (
              <rect
                x={percent(from)}
                // A minimum width keeps very short spans visible.
                width={percent(Math.max(0.004, to - from))}
                y={y}
                height={thickness}
                rx="2"
                className={`${styles.shape} ${styles.seriesColour[span.tone]}`}
              />
            )}
            <rect y={y - labelRoom - 1} width="100%" height={step} className={styles.touched}>
              <title>{[span.label, `Started after ${started}, took ${took}`, ...lines].join("\n")}</title>
            </rect>
          </g>
        );
      })}
    </PlotFrame>
  );
}

function getTimes({ startMilliseconds: start, endMilliseconds: end }: TimelineSpan): [string, string] {
  const started = start === null ? "–" : formatMilliseconds(start);
  return [started, start === null || end === null ? "–" : formatMilliseconds(end - start)];
}
