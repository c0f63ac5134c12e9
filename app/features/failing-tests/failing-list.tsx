import { RecoveryWords } from "~/features/recoveries/recovery-words";
import { executionAddress } from "~/features/runs/execution-address";
import { RunKey } from "~/features/runs/run-key";
import { statusWords } from "~/features/verdict/verdict-words";
import { whyInWords } from "~/features/verdict/why-in-words";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { edge } from "~/ui/edge/edge.css";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { Ago } from "~/ui/moment/ago";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./failing-list.css";
import type { NamedFailingTest } from "./failing-tests.server";

export interface FailingListProps {
  tests: readonly NamedFailingTest[];
  mayRun: boolean;
  /** Action of the forms that run one of the tests. */
  runKey: string;
  /** Reference time of "ago". */
  now: string;
  /** Below their incident, whose edge spans them. */
  nested?: boolean;
}

/** Tests that fail, each with its reason, since when, and a button that runs it again. */
export function FailingList({ tests, ...shared }: FailingListProps) {
  return (
    <ul className={styles.list}>
      {tests.map((test) => (
        <FailingItem key={test.testId} test={test} {...shared} />
      ))}
    </ul>
  );
}

function FailingItem({
  test: { testId, apiId, apiName, since, execution, recovering },
  mayRun,
  runKey,
  now,
  nested,
}: Omit<FailingListProps, "tests"> & { test: NamedFailingTest }) {
  const address = recovering
    ? href("/test-management/incidents/:incidentId", { incidentId: recovering.incidentId })
    : execution
      ? executionAddress({ apiId, testId, executionId: execution.id })
      : href("/test-management/:apiId/tests/:testId/edit", { apiId, testId });
  const { word, icon, tone } = recovering
    ? ({ word: "Recovering", icon: "clock", tone: "warning" } as const)
    : statusWords[execution?.verdict ?? "failed"];
  const name = recovering?.testName ?? execution?.testName ?? "A test that ran long ago";
  return (
    <li className={joinClasses(styles.item, nested ? styles.nested : edge[tone])}>
      <div className={styles.name}>
        <Icon name={icon} className={joinClasses(styles.icon, styles.iconTone[tone])} />
        <div className={styles.words}>
          <a href={address} className={styles.test}>
            <VisuallyHidden>{word}: </VisuallyHidden>
            {name}
          </a>
          {apiName && (
            <a href={href("/test-management/:apiId/manage", { apiId })} className={styles.api}>
              {apiName}
            </a>
          )}
        </div>
      </div>
      <span className={styles.reason}>
        {recovering ? (
          <RecoveryWords recovery={recovering.recovery} now={now} />
        ) : execution ? (
          whyInWords(execution)
        ) : (
          "Its last failure is no longer stored."
        )}
      </span>
      <span className={styles.since}>
        <VisuallyHidden>Failing since </VisuallyHidden>
        <Ago value={since} now={now} />
      </span>
      {mayRun && execution && (
        <form method="post" action={address}>
          <RunKey value={runKey} />
          <Button name="intent" value="run" size="small" icon="play" aria-label={`Run again: ${name}`}>
            Run again
          </Button>
        </form>
      )}
    </li>
  );
}
