import * as styles from "./plot.css";
import { anchorAt, percent, type ValueScale } from "./scale";

/** An event at one position of the axis: a line across the plot with a number that is explained elsewhere. */
export interface PlotMark {
  /** Index of its bar or moment. */
  index: number;
  label: string;
  /** The events, one per line. */
  names: readonly string[];
}

/** @param shareOf position of a bar or moment as a share of the width */
export function PlotMarks({
  marks,
  scale,
  getShare: shareOf,
}: {
  marks: readonly PlotMark[];
  scale: ValueScale;
  getShare: (index: number) => number;
}) {
  return marks.map(({ index, label }) => {
    const x = percent(shareOf(index));
    return (
      <g key={index}>
        <line x1={x} x2={x} y1="12" y2={scale.bottom} className={styles.markLine} />
        <text x={x} y="9" textAnchor={anchorAt(shareOf(index))} className={styles.markLabel}>
          {label}
        </text>
      </g>
    );
  });
}

/** The marks at a position, for its row of numbers and its tooltip. */
export function namesAt(marks: readonly PlotMark[], index: number): readonly string[] {
  return marks.find((mark) => mark.index === index)?.names ?? [];
}
