import { shorten } from "#libraries/text/shorten.ts";
import { patternFill } from "./patterns";
import * as styles from "./plot.css";
import { percent, type ValueScale } from "./scale";

/** A shaded part of the axis, such as a maintenance window; from and to are shares of the width. */
export interface PlotBand {
  key: string;
  from: number;
  to: number;
  /** Short, explained elsewhere; only the first of several alike has one. */
  label?: string;
  name: string;
}

/** Narrower ones would be invisible. */
const leastShare = 0.004;
/** From here on a label grows to the left. */
const turnsAt = 0.7;

export interface PlotBandsProps {
  /** Of the plot. */
  id: string;
  bands: readonly PlotBand[];
  scale: ValueScale;
  /** Shows names instead of short labels if they fit. */
  named?: boolean;
}

/** Shaded and hatched, with a line at both ends, which forced colours keep. */
export function PlotBands({ id, bands, scale, named }: PlotBandsProps) {
  return bands.map(({ key, from, to, label, name }) => {
    const end = Math.max(to, from + leastShare);
    const isRight = from > turnsAt;
    const at = { x: percent(isRight ? end : from), dx: isRight ? -5 : 5, y: 23 };
    const anchor = isRight ? "end" : "start";
    return (
      <g key={key}>
        <rect x={percent(from)} width={percent(end - from)} height={scale.bottom} fill={patternFill(id, "band")} />
        {[from, end].map((edge) => (
          <line key={edge} x1={percent(edge)} x2={percent(edge)} y1="0" y2={scale.bottom} className={styles.bandEdge} />
        ))}
        {label && (
          <>
            {named && (
              <text {...at} textAnchor={anchor} className={styles.wideLabel}>
                {shorten(name, maxLabelLength)}
              </text>
            )}
            <text {...at} textAnchor={anchor} className={named ? styles.narrowLabel : styles.markLabel}>
              {label}
            </text>
          </>
        )}
      </g>
    );
  });
}

/** A text in SVG does not wrap. */
export const maxLabelLength = 34;
