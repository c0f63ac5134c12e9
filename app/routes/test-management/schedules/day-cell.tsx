import type { OccurrenceCounts } from "#contracts/test-executioner/occurrences.ts";
import { statusWords } from "~/features/verdict/verdict-words";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import type { Tone } from "~/ui/tone";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./day-cell.css";
import { DayLane } from "./day-lane";
import type { PastDay, PastRun, ScheduleDay } from "./schedule-day";

/** More times are summarized. */
const maxTimes = 3;

export interface DayCellProps {
  day: ScheduleDay;
  /** The schedule in words. */
  name: string;
  /** For example `Mon 23`. */
  date: string;
}

/** A schedule's past and future occurrences on a day, and the windows in it: drawn, and in words. */
export function DayCell({ day, name, date }: DayCellProps) {
  const { past, runs, many, repeats, bands } = day;
  const isEmpty = !past && runs.length === 0 && !many && bands.length === 0;
  return (
    <div className={joinClasses(styles.day, isEmpty && styles.emptyDay)}>
      <DayLane day={day} />
      <ul className={styles.entries}>
        {past && <PastEntries {...{ past, name, date }} />}
        {runs.length <= maxTimes ? (
          runs.map((run) => <RunEntry key={run.at} run={run} />)
        ) : (
          <>
            <li className={styles.entry}>
              {repeats ? `${repeats}, ` : ""}
              {plural(runs.length, "run")}
              {!repeats && `, ${runs[0]!.time} to ${runs.at(-1)!.time}`}
            </li>
            {countSkipped(runs).map(([window, count]) => (
              <li key={window} className={joinClasses(styles.entry, styles.skipped)}>
                {count} skipped: {window}
              </li>
            ))}
          </>
        )}
        {many && (
          <li className={styles.entry}>
            {repeats ? `${repeats}, ` : ""}
            {plural(many.times, "run")}, {many.first} to {many.last}
          </li>
        )}
        {many?.skipped ? (
          <li className={joinClasses(styles.entry, styles.skipped)}>{formatCount(many.skipped)} for maintenance</li>
        ) : null}
        {runs.length === 0 &&
          !many &&
          [...new Set(bands.map(({ name }) => name))].map((name) => (
            <li key={name} className={joinClasses(styles.entry, styles.skipped)}>
              Maintenance: {name}
            </li>
          ))}
      </ul>
    </div>
  );
}

function RunEntry({ run: { time, window } }: { run: ScheduleDay["runs"][number] }) {
  return (
    <li className={joinClasses(styles.entry, window && styles.skipped)}>
      {window ? (
        <>
          <s>{time}</s> <VisuallyHidden>skipped: </VisuallyHidden>
          {window}
        </>
      ) : (
        time
      )}
    </li>
  );
}

/** Windows with the number of runs that they skip. */
function countSkipped(runs: ScheduleDay["runs"]): [window: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { window } of runs) if (window) counts.set(window, (counts.get(window) ?? 0) + 1);
  return [...counts];
}

const outcomes: [keyof OccurrenceCounts, word: string, Tone, IconName][] = [
  ["waiting", "waits", "info", "clock"],
  ["skipped", "skipped", "neutral", "minus"],
  ["missed", "missed", "warning", "warning"],
  ["failed", "not started", "danger", "cross"],
];

function PastEntries({
  past: { counts, runs, runsAddress },
  name,
  date,
}: { past: PastDay } & Omit<DayCellProps, "day">) {
  const more = counts.started - runs.length;
  const moreWords = runs.length > 0 ? `and ${formatCount(more)} more` : `${formatCount(more)} ran`;
  return (
    <>
      {runs.map((run) => (
        <PastRunEntry key={run.id} {...{ run, name, date }} />
      ))}
      {more > 0 && (
        <li className={styles.entry}>
          {runsAddress ? (
            <a href={runsAddress}>
              {moreWords}
              <VisuallyHidden>
                {" "}
                of {name}, {date}
              </VisuallyHidden>
            </a>
          ) : (
            moreWords
          )}
        </li>
      )}
      {outcomes
        .filter(([state]) => counts[state] > 0)
        .map(([state, word, tone, icon]) => (
          <li key={state} className={joinClasses(styles.outcome, styles.tone[tone])}>
            <Icon name={icon} width="12" height="12" /> {formatCount(counts[state])} {word}
          </li>
        ))}
    </>
  );
}

function PastRunEntry({ run, name, date }: { run: PastRun } & Omit<DayCellProps, "day">) {
  const { word, tone, icon } = statusWords[run.status];
  const words = (
    <>
      <Icon name={icon} width="12" height="12" /> {run.time} {word}
      <VisuallyHidden>
        , {name}, {date}
      </VisuallyHidden>
    </>
  );
  const look = joinClasses(styles.outcome, styles.tone[tone]);
  return (
    <li>
      {run.address ? (
        <a href={run.address} className={joinClasses(look, styles.run)}>
          {words}
        </a>
      ) : (
        <span className={look}>{words}</span>
      )}
    </li>
  );
}
