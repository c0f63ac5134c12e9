import * as styles from "./plot.css";
import { namesAt, type PlotMark } from "./plot-marks";
import { middleOf, type PlotStep } from "./plot-steps";
import { anchorAt, percent, spreadTicks } from "./scale";

export interface StepAxisProps {
  steps: readonly PlotStep[];
  /** Default description of a step without its own sentence. */
  getLines: (index: number) => readonly string[];
  marks: readonly PlotMark[];
  /** Of the area over the steps. */
  bottom: number;
  height: number;
}

/** Labels of the steps, and an area over each that shows its values: as a tooltip, or by an island. */
export function StepAxis({ steps, getLines, marks, bottom, height }: StepAxisProps) {
  const labelled = new Set(spreadTicks(steps.map((_, index) => index)));
  return steps.map(({ key, label, tick = label, said, href }, index) => {
    const middle = middleOf(index, steps.length);
    return (
      <g key={key}>
        <rect
          x={percent(index / steps.length)}
          width={percent(1 / steps.length)}
          height={bottom}
          className={styles.touched}
          data-step={href ? "leads" : ""}
        >
          <title>{said ?? [label, ...getLines(index), ...namesAt(marks, index)].join("\n")}</title>
        </rect>
        {labelled.has(index) && (
          <text x={percent(middle)} y={height - 6} textAnchor={anchorAt(middle)} className={styles.axisLabel}>
            {tick}
          </text>
        )}
      </g>
    );
  });
}
