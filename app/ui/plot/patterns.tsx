import * as styles from "./plot.css";

const lines = {
  /** Of failures: rising. */
  danger: "M-2,8L8,-2M4,14L14,4",
  /** Of errors: falling. */
  warning: "M-2,4L8,14M4,-2L14,8",
  info: "M0,3H12M0,9H12",
} as const;

export type Pattern = keyof typeof lines | "band";

const isPattern = (colour: string): colour is keyof typeof lines => Object.hasOwn(lines, colour);

/** The fill that lies over a colour as a second cue; undefined for a plain one. */
export function patternOver(id: string, colour: string): string | undefined {
  return isPattern(colour) ? patternFill(id, colour) : undefined;
}

/** @param id of the plot */
export const patternFill = (id: string, pattern: Pattern) => `url(#${id}-${pattern})`;

/** The patterns of a plot, for its drawing and its legend. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      {Object.entries(lines).map(([name, line]) => (
        <pattern key={name} id={`${id}-${name}`} width="12" height="12" patternUnits="userSpaceOnUse">
          <path d={line} className={styles.patternLine} />
        </pattern>
      ))}
      <pattern id={`${id}-band`} width="8" height="8" patternUnits="userSpaceOnUse">
        <path d="M-2,6L6,-2M2,10L10,2" className={styles.bandLine} />
      </pattern>
    </defs>
  );
}
