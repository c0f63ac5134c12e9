import * as styles from "./plot.css";
import type { ValueScale } from "./scale";

/** Horizontal lines behind the drawing. */
export function GridLines({ scale }: { scale: ValueScale }) {
  return scale.ticks.map((tick) => (
    <line key={tick} x1="0" x2="100%" y1={scale.y(tick)} y2={scale.y(tick)} className={styles.gridLine} />
  ));
}

/** Their values, in the margin. */
export function GridLabels({ scale, formatValue }: { scale: ValueScale; formatValue: (value: number) => string }) {
  return scale.ticks.map((tick) => (
    <text key={tick} x="-8" y={scale.y(tick) + 4} textAnchor="end" className={styles.axisLabel}>
      {formatValue(tick)}
    </text>
  ));
}
