import type { ComponentPropsWithoutRef } from "react";
import { joinClasses } from "~/ui/join-classes";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./plot.css";
import { percent } from "./scale";
import { type SeriesColour, seriesColour } from "./series-colour";

export interface WaterfallPhase {
  name: string;
  startMilliseconds: number;
  durationMilliseconds: number;
  colour?: SeriesColour;
}

export interface WaterfallProps extends Omit<ComponentPropsWithoutRef<"table">, "children"> {
  /** The measured process, such as "Phases of the request". */
  caption: string;
  captionHidden?: boolean;
  phases: readonly WaterfallPhase[];
  /** The end of the last phase unless given. */
  totalMilliseconds?: number;
  formatDuration?: (milliseconds: number) => string;
}

/** Consecutive phases, each with its bar and its time. A table, so that the numbers need no second one. */
export function Waterfall(props: WaterfallProps) {
  const { caption, captionHidden, phases, formatDuration = formatMilliseconds, className, ...others } = props;
  const end = Math.max(0, ...phases.map((phase) => phase.startMilliseconds + phase.durationMilliseconds));
  const { totalMilliseconds: total = end, ...rest } = others;
  return (
    <table {...rest} className={joinClasses(styles.phases, className)}>
      <caption>{captionHidden ? <VisuallyHidden>{caption}</VisuallyHidden> : caption}</caption>
      <thead>
        <tr>
          <th scope="col" className={joinClasses(styles.phaseHead, styles.phaseName)}>
            <VisuallyHidden>Phase</VisuallyHidden>
          </th>
          <td className={styles.phaseHead} />
          <th scope="col" className={joinClasses(styles.phaseHead, styles.phaseTime)}>
            <VisuallyHidden>Time</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {phases.map((phase, index) => (
          <tr key={phase.name}>
            <th scope="row" className={styles.phaseName}>
              {phase.name}
            </th>
            <td className={styles.phaseBar}>
              <svg aria-hidden="true" className={styles.phaseTrack}>
                <rect
                  x={percent(total > 0 ? phase.startMilliseconds / total : 0)}
                  width={percent(total > 0 ? Math.max(0.004, phase.durationMilliseconds / total) : 0)}
                  height="12"
                  rx="2"
                  className={`${styles.shape} ${styles.seriesColour[phase.colour ?? seriesColour(index)]}`}
                />
              </svg>
            </td>
            <td className={styles.phaseTime}>{formatDuration(phase.durationMilliseconds)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className={styles.phaseTotal}>
          <th scope="row" className={styles.phaseName}>
            Total
          </th>
          <td />
          <td className={styles.phaseTime}>{formatDuration(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/**
 * A duration in the format of all pages, three digits at most: 0.42 ms, 18.3 ms, 1.24 s; from a minute on 2 min 5 s.
 */
export function formatMilliseconds(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (milliseconds >= 9_995) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 999.5) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (milliseconds >= 99.95) return `${Math.round(milliseconds)} ms`;
  return `${milliseconds.toFixed(milliseconds < 9.995 ? 2 : 1)} ms`;
}
