import { executionAddress } from "~/runs/execution-address";
import { failedCount, isFailing, memberName, phaseWords } from "~/runs/run-words";
import { Card } from "~/ui/card/card";
import { VerdictBadge } from "~/verdict/verdict-badge";
import { whyInWords } from "~/verdict/why-in-words";
import type { RunStanding } from "./run-change.ts";
import * as styles from "./run-view.css";

/** What failed first, why, and where to read more. */
export function FirstFailures({ run, firstFailures }: Pick<RunStanding, "run" | "firstFailures">) {
  const shown = firstFailures.filter(isFailing);
  if (shown.length === 0) return null;
  const all = failedCount(run.counts);
  return (
    <Card
      title={all > shown.length ? `The first ${shown.length} of ${all.toLocaleString("en")} failures` : "Failures"}
      flush
    >
      <ul className={styles.failures}>
        {shown.map((member) => (
          <li key={member.executionId} className={styles.failure}>
            <VerdictBadge standing={member.verdict} />
            <div className={styles.failureWords}>
              <a href={executionAddress(member)}>
                {phaseWords[member.phase] && `${phaseWords[member.phase]}: `}
                {memberName(member)}
              </a>
              <span className={styles.reason}>{whyInWords(member)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
