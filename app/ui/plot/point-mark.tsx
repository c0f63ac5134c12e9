import * as styles from "./plot.css";

/** A circle, a square, a diamond, a triangle: a second cue besides the colour. */
const shapes = [
  "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z",
  "M-3.5,-3.5h7v7h-7Z",
  "M0,-5L5,0L0,5L-5,0Z",
  "M0,-4.5L4.5,3.5H-4.5Z",
];

/** A single value of a series; its position in percent and pixels. */
export function PointMark({ kind, x, y }: { kind: number; x: string; y: number }) {
  return (
    <svg x={x} y={Math.round(y * 10) / 10} width="1" height="1" className={styles.drawing} aria-hidden="true">
      <path d={shapes[kind % shapes.length]} className={styles.point} />
    </svg>
  );
}
