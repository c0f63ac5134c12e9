import * as styles from "./plot.css";
import { anchorAt, percent, type ValueScale } from "./scale";

/** What happened at one place of the axis, as a line across the plot with a number that is explained elsewhere. */
export interface PlotMark {
  /** Which bar or moment it stands at. */
  index: number;
  label: string;
  /** What happened, one a line. */
  names: readonly string[];
}

/** @param shareOf where a bar or moment is, as a share of the width */
export function PlotMarks({
  marks,
  scale,
  shareOf,
}: {
  marks: readonly PlotMark[];
  scale: ValueScale;
  shareOf: (index: number) => number;
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

/** What is marked at a place, for its row of numbers and for who points at it. */
export function namesAt(marks: readonly PlotMark[], index: number): readonly string[] {
  return marks.find((mark) => mark.index === index)?.names ?? [];
}
