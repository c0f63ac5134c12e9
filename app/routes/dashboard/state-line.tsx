import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { formatShort } from "~/features/recoveries/recovery-words";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { Ago } from "~/ui/moment/ago";
import { useFormatMoment } from "~/ui/moment/moment";
import { toneIcons } from "~/ui/tone";
import { type StateFigures, stateInWords } from "./state-in-words";
import * as styles from "./state-line.css";

export interface StateLineProps extends StateFigures {
  nextRuns: readonly Pick<Schedule, "next" | "heldBack">[];
  schedulesKnown: boolean;
  lastResolvedAt: string | undefined;
  /** Reference time of "ago" and of today. */
  now: string;
}

/** The state of all APIs in one line, each part linked to what it counts: "1 of 12 APIs failing, 1 incident, next run 22:20". */
export function StateLine({ nextRuns, schedulesKnown, lastResolvedAt, now, ...figures }: StateLineProps) {
  const format = useFormatMoment();
  const { tone, words, address } = stateInWords(figures);
  const { incidents } = figures;
  const next = nextRuns.find(({ heldBack }) => !heldBack)?.next;
  return (
    <p className={joinClasses(styles.line, styles.tone[tone])}>
      <Icon name={toneIcons[tone]} className={styles.icon[tone]} />
      <span className={styles.parts}>
        <span className={styles.part}>{address ? <a href={address}>{words}</a> : words}</span>
        {incidents === undefined ? (
          <span className={styles.part}>incidents unknown</span>
        ) : incidents > 0 ? (
          <span className={styles.part}>
            <a href={href("/test-management/incidents")}>{plural(incidents, "incident")}</a>
          </span>
        ) : (
          lastResolvedAt && (
            <span className={styles.part}>
              <a href={href("/test-management/incidents", { state: "resolved" })}>
                last incident resolved <Ago value={lastResolvedAt} now={now} inLink />
              </a>
            </span>
          )
        )}
        {schedulesKnown && (
          <span className={styles.part}>
            <a href={href("/test-management/schedules")}>
              {next ? `next run ${formatShort(next.at, now, format)}` : "nothing scheduled"}
            </a>
          </span>
        )}
      </span>
    </p>
  );
}
