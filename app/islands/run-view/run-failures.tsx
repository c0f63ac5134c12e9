import type { RunFailure } from "#contracts/test-executioner/run-failures.ts";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { executionAddress } from "~/features/runs/execution-address";
import { failedCount, isFailing, memberName, phaseWords, sinceWords } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getStatus } from "~/features/verdict/verdict-words";
import { whyInWords } from "~/features/verdict/why-in-words";
import { Card } from "~/ui/card/card";
import { Pagination } from "~/ui/pagination/pagination";
import { FromHere } from "./from-here.tsx";
import * as styles from "./run-view.css";

/** How long a member has failed is known once the run has ended. */
export type DisplayedFailure = RunMember & Partial<Pick<RunFailure, "failures" | "isWhole">>;

interface RunFailuresProps {
  run: Pick<RunSummary, "counts">;
  failures: readonly DisplayedFailure[];
  againForm?: string;
  getPlace?: (member: RunMember) => string;
  firstHref?: string;
  nextHref?: string;
}

/** The failures, with reason and duration, linked to details. */
export function RunFailures({ run, failures, againForm, getPlace, firstHref, nextHref }: RunFailuresProps) {
  const displayed = failures.filter(isFailing);
  if (displayed.length === 0) return null;
  const all = failedCount(run.counts);
  const isPart = all > displayed.length && !firstHref;
  return (
    <Card title={isPart ? `The first ${displayed.length} of ${all.toLocaleString("en")} failures` : "Failures"} flush>
      <ul className={styles.failures}>
        {displayed.map((member) => (
          <li key={member.executionId} className={styles.failure}>
            <VerdictBadge status={getStatus(member)} />
            <div className={styles.failureWords}>
              <span>
                <a href={executionAddress(member)}>
                  {phaseWords[member.phase] && `${phaseWords[member.phase]}: `}
                  {memberName(member)}
                </a>
                {getPlace && `, from ${getPlace(member)}`}
                {member.failures !== undefined && (
                  <span className={styles.since}> {sinceWords(member.failures, member.isWhole)}</span>
                )}
              </span>
              <span className={styles.reason}>{whyInWords(member)}</span>
            </div>
            {againForm && <FromHere form={againForm} member={member} />}
          </li>
        ))}
      </ul>
      {(firstHref || nextHref) && <Pagination label="Pages of failures" {...{ firstHref, nextHref }} />}
    </Card>
  );
}
