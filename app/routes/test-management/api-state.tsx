import type { ReactNode } from "react";
import type { ApiExecutions } from "~/features/recoveries/recovering-tests.server";
import { RecoveryWords } from "~/features/recoveries/recovery-words";
import { LastVerdicts } from "~/features/verdict/last-verdicts";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Icon, type IconName } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { Ago } from "~/ui/moment/ago";
import { Moment } from "~/ui/moment/moment";
import type { Tone } from "~/ui/tone";
import * as styles from "./api-state.css";

export interface ApiStateProps {
  apiId: string;
  /** Undefined: unknown. */
  counts: ApiExecutions | undefined;
  /** The reference time for "ago". */
  now: string;
  actions?: ReactNode;
}

/** State of the API's tests, since when, and counts linked to the tests. */
export function ApiState({ apiId, counts, now, actions }: ApiStateProps) {
  if (!counts) return null;
  const { tone, icon, line, detail } = describe(apiId, counts, now);
  const hasRun = counts.lastFinishedAt !== null || counts.unfinished > 0;
  return (
    <section aria-label="State of the tests" className={joinClasses(styles.state, styles.edge[tone])}>
      <div className={styles.words}>
        <Icon name={icon} className={styles.icon[tone]} />
        <div>
          <p className={styles.line}>{line}</p>
          <p className={styles.detail}>{detail}</p>
        </div>
      </div>
      {hasRun && <LastVerdicts apiId={apiId} counts={counts} />}
      {actions}
    </section>
  );
}

function describe(
  apiId: string,
  { passed, failed, errored, regional, flaky, unfinished, recovering, failingSince, lastFinishedAt }: ApiExecutions,
  now: string,
): { tone: Tone; icon: IconName; line: ReactNode; detail: ReactNode } {
  const total = passed + failed + errored + regional + flaky + recovering.length;
  const since = failingSince && (
    <>
      {" "}
      since <Moment value={failingSince} />
    </>
  );
  const lastRun = lastFinishedAt && (
    <>
      Last run <Ago value={lastFinishedAt} now={now} />.
    </>
  );
  if (failed + errored > 0) {
    const counted = [failed > 0 && `${formatCount(failed)} failing`, errored > 0 && `${formatCount(errored)} erroring`];
    return {
      ...(failed > 0 ? ({ tone: "danger", icon: "cross" } as const) : ({ tone: "warning", icon: "warning" } as const)),
      line: (
        <>
          {counted.filter(Boolean).join(", ")} of {plural(total, "test")}
          {since}
        </>
      ),
      detail: unfinished > 0 ? <Running apiId={apiId} count={unfinished} /> : lastRun,
    };
  }
  if (unfinished > 0) {
    return {
      tone: "info",
      icon: "clock",
      line: "Tests are running",
      detail: <Running apiId={apiId} count={unfinished} />,
    };
  }
  const [last] = recovering;
  if (last) {
    return {
      tone: "warning",
      icon: "clock",
      line: (
        <>
          {plural(recovering.length, "test")} recovering{since}
        </>
      ),
      detail: <RecoveryWords recovery={last.recovery} now={now} />,
    };
  }
  if (total === 0) {
    return {
      tone: "neutral",
      icon: "dot",
      line: "Not tested yet",
      detail: "Run the tests to see what the API returns.",
    };
  }
  if (regional > 0) {
    return {
      tone: "warning",
      icon: "pin",
      line: `${formatCount(regional)} regional of ${plural(total, "test")}`,
      detail: lastRun,
    };
  }
  if (flaky > 0) {
    return {
      tone: "warning",
      icon: "refresh",
      line: `${formatCount(flaky)} flaky of ${plural(total, "test")}`,
      detail: lastRun,
    };
  }
  const line = total === 1 ? "The test passes" : `All ${formatCount(total)} tests pass`;
  return { tone: "success", icon: "check", line, detail: lastRun };
}

function Running({ apiId, count }: { apiId: string; count: number }) {
  return (
    <>
      {plural(count, "test")} {count === 1 ? "is" : "are"} running.{" "}
      <a href={href("/test-management/:apiId/runs", { apiId })}>Follow them</a>
    </>
  );
}
