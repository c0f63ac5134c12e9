import { statusWords } from "~/features/verdict/verdict-words";
import { joinClasses } from "~/ui/join-classes";
import { percent } from "~/ui/plot/scale";
import * as styles from "./day-lane.css";
import type { ScheduleDay } from "./schedule-day";

const height = 22;
const sixHours = [0.25, 0.5, 0.75];

/** A day as a line from midnight to midnight: windows as bands, runs as strokes. The cell has the same in words. */
export function DayLane({ day: { past, runs, many, bands, now } }: { day: ScheduleDay }) {
  return (
    <svg width="100%" height={height} aria-hidden="true" className={styles.lane}>
      {sixHours.map((share) => (
        <line key={share} x1={percent(share)} x2={percent(share)} y1="16" y2={height} className={styles.hour} />
      ))}
      {bands.map(({ name, from, to }) => (
        <g key={name + from}>
          <rect x={percent(from)} width={percent(Math.max(0.01, to - from))} height={height} className={styles.band}>
            <title>{name}</title>
          </rect>
          {[from, to].map((edge) => (
            <line key={edge} x1={percent(edge)} x2={percent(edge)} y2={height} className={styles.bandEdge} />
          ))}
        </g>
      ))}
      <line x2="100%" y1={height - 1} y2={height - 1} className={styles.base} />
      {past && <rect width={percent(now ?? 1)} y={height - 5} height="4" className={styles.past} />}
      {past?.runs.map(({ id, time, share, status }) => {
        const { word, tone } = statusWords[status];
        const drawn = { x1: percent(share), x2: percent(share), y1: "4", y2: height - 2 };
        return (
          <line key={id} {...drawn} className={joinClasses(styles.run, styles.verdict[tone])}>
            <title>{`${time} ${word}`}</title>
          </line>
        );
      })}
      {many && (
        <rect
          x={percent(many.from)}
          width={percent(Math.max(0.02, many.to - many.from))}
          y="7"
          height="10"
          rx="2"
          className={many.skipped === many.times ? styles.noneOfMany : styles.many}
        />
      )}
      {runs.map(({ at, time, share, window }) => (
        <line
          key={at}
          x1={percent(share)}
          x2={percent(share)}
          y1="4"
          y2={height - 2}
          className={joinClasses(styles.run, window && styles.skippedRun)}
        >
          <title>{window ? `${time}, skipped: ${window}` : time}</title>
        </line>
      ))}
      {now !== undefined && <line x1={percent(now)} x2={percent(now)} y2={height} className={styles.now} />}
    </svg>
  );
}
