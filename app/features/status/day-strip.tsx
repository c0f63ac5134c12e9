import type { PublishedComponent } from "#contracts/test-analyzer/status-pages.ts";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./day-strip.css";
import { countMeasured, shareTone, shareWords } from "./status-words";

/** Ninety days at a glance, oldest first; the table behind them has the same in words. */
export function DayStrip({ status }: { status: Pick<PublishedComponent, "days" | "objective" | "counts"> }) {
  const { days } = status;
  const good = days.filter(({ share }) => shareTone(share, status) === "success").length;
  const checked = countMeasured(days);
  return (
    <div>
      <div
        role="img"
        aria-label={`Last ${days.length} days: ${checked} checked, ${good} good`}
        className={styles.strip}
      >
        {days.map(({ day, share }) => (
          <span
            key={day}
            title={`${day}: ${shareWords(share, status)}`}
            className={joinClasses(
              styles.shape,
              share === null ? styles.unmeasured : styles.day[shareTone(share, status)],
            )}
          />
        ))}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{days.length} days ago</span>
        {checked < days.length && (
          <span className={styles.legend}>
            <span className={joinClasses(styles.legendDay, styles.unmeasured)} />
            {days.length - checked} not measured
          </span>
        )}
        <span>Today</span>
      </div>
    </div>
  );
}
