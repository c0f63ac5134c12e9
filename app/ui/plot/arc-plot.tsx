import * as styles from "./plot.css";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { seriesColour } from "./series-colour";

export interface ArcPlotProps extends Omit<PlotFrameProps, "legend" | "children" | "height"> {
  /** In order, from the top. */
  steps: readonly { key: string; label: string }[];
  /** From a step to a later one; arcs with the same label share a colour. */
  arcs: readonly { from: string; to: string; label: string }[];
}

const rowHeight = 24;
const axis = 84;

/** The flow between steps: steps in a column, arcs to their left. */
export function ArcPlot({ steps, arcs, ...frame }: ArcPlotProps) {
  const getHeight = (key: string) => (steps.findIndex((step) => step.key === key) + 0.5) * rowHeight;
  const kinds = [...new Set(arcs.map(({ label }) => label))];
  return (
    <PlotFrame
      {...frame}
      legend={kinds.map((name, index) => ({ name, colour: seriesColour(index) }))}
      height={steps.length * rowHeight}
    >
      {arcs.map(({ from, to, label }) => {
        const [start, end] = [getHeight(from), getHeight(to)];
        const reach = Math.min(axis + 20, 24 + (end - start) / 2);
        return (
          <path
            key={`${from} ${to} ${label}`}
            d={`M ${axis} ${start} C ${axis - reach} ${start} ${axis - reach} ${end} ${axis} ${end}`}
            className={`${styles.line} ${styles.seriesColour[seriesColour(kinds.indexOf(label))]}`}
          />
        );
      })}
      {steps.map(({ key, label }) => (
        <g key={key}>
          <circle cx={axis} cy={getHeight(key)} r="3.5" className={`${styles.shape} ${styles.seriesColour.neutral}`} />
          <text x={axis + 12} y={getHeight(key) + 4} className={styles.stepLabel}>
            {label}
          </text>
        </g>
      ))}
    </PlotFrame>
  );
}
