import * as styles from "./plot.css";
import type { ValueScale } from "./scale";

/** Horizontal lines behind the drawing. */
export function GridLines({ scale }: { scale: ValueScale }) {
  return scale.ticks.map((tick) => (
    <line key={tick} x1="0" x2="100%" y1={scale.y(tick)} y2={scale.y(tick)} className={styles.gridLine} />
  ));
}

/** Their values, in front. A base of zero needs none. */
export function GridLabels({ scale, formatValue }: { scale: ValueScale; formatValue: (value: number) => string }) {
  return scale.ticks
    .filter((tick) => tick !== 0)
    .map((tick) => (
      <text key={tick} x="0" y={scale.y(tick) - 4} className={styles.axisLabel}>
        {formatValue(tick)}
      </text>
    ));
}
