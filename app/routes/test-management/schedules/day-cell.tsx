import type { OccurrenceCounts } from "#contracts/test-executioner/occurrences.ts";
import { formatCount } from "~/ui/count/format-count";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./day-cell.css";
import type { ScheduleDay } from "./schedule-week.server";

/** A schedule's past and future occurrences on a day. */
export function DayCell({ day: { past, runs, many } }: { day: ScheduleDay }) {
  return (
    <ul className={styles.entries}>
      {past && <PastEntries counts={past} />}
      {runs.map(({ at, time, window }) => (
        <li key={at} className={joinClasses(styles.entry, window && styles.skipped)}>
          {window ? (
            <>
              <s>{time}</s> <VisuallyHidden>skipped: </VisuallyHidden>
              {window}
            </>
          ) : (
            time
          )}
        </li>
      ))}
      {many && (
        <li className={styles.entry}>
          {formatCount(many.times)} times, {many.first} to {many.last}
        </li>
      )}
      {many?.skipped ? (
        <li className={joinClasses(styles.entry, styles.skipped)}>{formatCount(many.skipped)} for maintenance</li>
      ) : null}
    </ul>
  );
}

const outcomes: [keyof OccurrenceCounts, word: string, Tone, IconName][] = [
  ["started", "ran", "neutral", "play"],
  ["waiting", "waits", "info", "clock"],
  ["skipped", "skipped", "neutral", "minus"],
  ["missed", "missed", "warning", "warning"],
  ["failed", "not started", "danger", "cross"],
];

function PastEntries({ counts }: { counts: OccurrenceCounts }) {
  return outcomes
    .filter(([state]) => counts[state] > 0)
    .map(([state, word, tone, icon]) => (
      <li key={state} className={joinClasses(styles.outcome, styles.tone[tone])}>
        <Icon name={icon} width="12" height="12" /> {formatCount(counts[state])} {word}
      </li>
    ));
}
