import { shorten } from "#libraries/text/shorten.ts";
import * as styles from "./plot.css";
import { maxLabelLength } from "./plot-bands";
import { anchorAt, percent, type ValueScale } from "./scale";

/** An event at one position of the axis: a line across the plot with a number that is explained elsewhere. */
export interface PlotMark {
  /** Index of its step. */
  index: number;
  label: string;
  /** The events, one per line. */
  names: readonly string[];
}

export interface PlotMarksProps {
  marks: readonly PlotMark[];
  scale: ValueScale;
  /** Position of a step as a share of the width. */
  getShare: (index: number) => number;
  /** Shows names instead of numbers if they fit. */
  named?: boolean;
}

/** As wide as a name is, at most, on a wide screen. */
const nameShare = 0.22;

export function PlotMarks({ marks, scale, getShare, named }: PlotMarksProps) {
  return marks.map(({ index, label, names }, order) => {
    const share = getShare(index);
    const x = percent(share);
    const isRight = share > 1 - nameShare;
    const [before, after] = [marks[order - 1], marks[order + 1]].map((mark) =>
      mark ? Math.abs(getShare(mark.index) - share) : 1,
    );
    const isNamed = named && Math.min(before!, after!) > (isRight ? 2 : 1) * nameShare;
    const name =
      names.length > 1
        ? `${shorten(names[0]!, maxLabelLength)} +${names.length - 1}`
        : shorten(names[0] ?? "", maxLabelLength);
    return (
      <g key={index}>
        <line x1={x} x2={x} y1="0" y2={scale.bottom} className={styles.markLine} />
        {isNamed && (
          <text x={x} dx={isRight ? -5 : 5} y="9" textAnchor={isRight ? "end" : "start"} className={styles.wideLabel}>
            {name}
          </text>
        )}
        <text
          x={x}
          dx={isRight ? -5 : 5}
          y="9"
          textAnchor={isRight ? "end" : anchorAt(0)}
          className={isNamed ? styles.narrowLabel : styles.markLabel}
        >
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
