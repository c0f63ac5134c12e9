import { IncidentStateBadge, SeverityBadge } from "~/features/incidents/incident-badges";
import { incidentEdge } from "~/features/incidents/incident-words";
import { RecoveryWords } from "~/features/recoveries/recovery-words";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { edge } from "~/ui/edge/edge.css";
import { joinClasses } from "~/ui/join-classes";
import { Ago } from "~/ui/moment/ago";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { FailingList, type FailingListProps } from "./failing-list";
import * as styles from "./failing-list.css";
import type { FailingIncident, FailingNow } from "./failing-now.server";

export interface FailingNowCardProps extends Omit<FailingListProps, "tests" | "nested"> {
  found: FailingNow;
}

/** What fails now, by cause: incidents with their tests, then tests without an incident. */
export function FailingNowCard({ found, ...shared }: FailingNowCardProps) {
  const { incidents, others, otherCount, failingCount, incidentCount } = found;
  if (incidents.length + others.length === 0) return null;
  const all = href("/test-management/failing-tests");
  const listed = others.length + incidents.reduce((sum, { tests }) => sum + tests.length, 0);
  const moreTests = failingCount !== undefined && failingCount > listed;
  const moreIncidents = incidentCount !== undefined && incidentCount > incidents.length;
  return (
    <Card
      title={<a href={all}>Failing now{failingCount ? ` ${formatCount(failingCount)}` : ""}</a>}
      flush
      footer={
        (moreTests || moreIncidents) && (
          <span className={styles.footerLinks}>
            {moreIncidents && (
              <a href={href("/test-management/incidents")}>All {formatCount(incidentCount)} incidents</a>
            )}
            {moreTests && <a href={all}>All {formatCount(failingCount)} failing tests</a>}
          </span>
        )
      }
    >
      <ul className={styles.groups}>
        {incidents.map((one) => (
          <IncidentItem key={one.incident.id} {...one} shared={shared} />
        ))}
        {others.length > 0 && (
          <li className={styles.group}>
            {incidents.length > 0 && (
              <p className={styles.groupTitle}>
                {otherCount === 1 ? "A failing test" : `${formatCount(otherCount)} failing tests`} without an incident
              </p>
            )}
            <FailingList tests={others} {...shared} />
          </li>
        )}
      </ul>
    </Card>
  );
}

function IncidentItem({ incident, tests, shared }: FailingIncident & { shared: Omit<FailingListProps, "tests"> }) {
  const { id, title, severity, state, since, reason, recovery, failing } = incident;
  const address = href("/test-management/incidents/:incidentId", { incidentId: id });
  const more = failing - tests.length;
  const tone = incidentEdge(incident);
  return (
    <li className={joinClasses(styles.group, tone && edge[tone])}>
      <div className={styles.incident}>
        <a href={address} className={styles.test}>
          {title}
        </a>
        <span className={styles.badges}>
          <SeverityBadge severity={severity} />
          <IncidentStateBadge state={state} />
        </span>
        <span className={styles.since}>
          <VisuallyHidden>Since </VisuallyHidden>
          <Ago value={since} now={shared.now} />
        </span>
      </div>
      {tests.length > 0 ? (
        <FailingList tests={tests} nested {...shared} />
      ) : (
        (recovery || reason) && (
          <p className={styles.groupReason}>
            {recovery ? <RecoveryWords recovery={recovery} now={shared.now} /> : reason}
          </p>
        )
      )}
      {more > 0 && (
        <p className={styles.groupReason}>
          <a href={address}>
            {tests.length > 0 ? `${plural(more, "more test")} of this incident` : `${plural(more, "test")} failing`}
          </a>
        </p>
      )}
    </li>
  );
}
