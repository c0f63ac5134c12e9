import { RecoveryWords } from "~/features/recoveries/recovery-words";
import type { ApiCounts } from "~/features/verdict/find-api-counts.server";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { Moment } from "~/ui/moment/moment";
import * as styles from "./api-status.css";

/** The status of an API's tests, in one line that links to them; nothing if unknown. */
export function ApiStatus({
  apiId,
  executions,
  now,
}: {
  apiId: string;
  executions: ApiCounts["executions"];
  now: string;
}) {
  if (executions === undefined) return null;
  const { passed = 0, failed = 0, errored = 0, regional = 0, flaky = 0, unfinished = 0 } = executions ?? {};
  const recovering = executions?.recovering ?? [];
  const tests = href("/test-management/:apiId/tests", { apiId });
  if (failed + errored > 0) {
    const counts = [failed > 0 && `${formatCount(failed)} failing`, errored > 0 && `${formatCount(errored)} erroring`];
    return (
      <a href={tests} className={joinClasses(styles.status, failed > 0 ? styles.tone.danger : styles.tone.warning)}>
        <Icon name={failed > 0 ? "cross" : "warning"} />
        <span>
          {counts.filter(Boolean).join(", ")}
          {executions?.failingSince && (
            <>
              {" "}
              since <Moment value={executions.failingSince} />
            </>
          )}
        </span>
      </a>
    );
  }
  if (unfinished > 0) {
    return (
      <a
        href={href("/test-management/:apiId/runs", { apiId })}
        className={joinClasses(styles.status, styles.tone.info)}
      >
        <Icon name="clock" />
        {/* Without a number, which would be wrong a moment later. */}
        Tests are running
      </a>
    );
  }
  const [last] = recovering;
  if (last) {
    const { incidentId } = last;
    return (
      <a
        href={
          recovering.length === 1
            ? href("/test-management/incidents/:incidentId", { incidentId })
            : href("/test-management/incidents", { apiId })
        }
        className={joinClasses(styles.status, styles.tone.warning)}
      >
        <Icon name="clock" />
        <span>
          {passed + flaky > 0 && `${formatCount(passed + flaky)} passing, `}
          {formatCount(recovering.length)} recovering. <RecoveryWords recovery={last.recovery} now={now} />
        </span>
      </a>
    );
  }
  if (passed + flaky + regional === 0) return <span className={styles.status}>Not tested yet</span>;
  const counts = [
    passed > 0 && `${formatCount(passed)} passing`,
    regional > 0 && `${formatCount(regional)} regional`,
    flaky > 0 && `${formatCount(flaky)} flaky`,
  ];
  return (
    <a
      href={tests}
      className={joinClasses(styles.status, regional + flaky > 0 ? styles.tone.warning : styles.tone.success)}
    >
      <Icon name={regional > 0 ? "pin" : flaky > 0 ? "refresh" : "check"} />
      {counts.filter(Boolean).join(", ")}
    </a>
  );
}
