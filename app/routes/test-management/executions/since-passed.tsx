import type { ReactNode } from "react";
import type { BodyComparison } from "#contracts/test-executioner/comparisons.ts";
import type { ExecutionComparison } from "#contracts/test-executioner/execution-comparisons.ts";
import type { Execution } from "#contracts/test-executioner/executions.ts";
import { describePointer } from "#libraries/json/describe-pointer.ts";
import { executionAddress } from "~/features/runs/execution-address";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Moment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import * as styles from "./since-passed.css";

interface SincePassedProps {
  execution: Execution;
  since: ExecutionComparison;
}

/** This many differences can be read at a glance. */
const maxAtOnce = 5;

/** How long a test has failed, and the differences from its last passed execution. */
export function SincePassed({ execution, since }: SincePassedProps) {
  const { failures, isWhole, passed } = since;
  if (!passed) return <p>{neverPassed(failures, isWhole)}</p>;
  const { apiId, testId } = execution;
  const differences = listDifferences(execution, since, passed);
  const others = differences.slice(maxAtOnce);
  return (
    <>
      <p>
        {failures === 1 ? "New" : `Failing for ${plural(failures, "run")}`}: it passed last on{" "}
        <a href={executionAddress({ apiId, testId, executionId: passed.executionId })}>
          <Moment value={passed.finishedAt} />
        </a>
        . {differences.length > 0 ? "Since then:" : "The response is identical to that one."}
      </p>
      {differences.length > 0 && <ul className={styles.differences}>{differences.slice(0, maxAtOnce)}</ul>}
      {others.length > 0 && (
        <Disclosure summary={`${plural(others.length, "more difference")}`}>
          <ul className={styles.differences}>{others}</ul>
        </Disclosure>
      )}
    </>
  );
}

function neverPassed(failures: number, isWhole: boolean): string {
  if (!isWhole) return `Failing for at least ${plural(failures, "run")}.`;
  return failures === 1 ? "First run." : `Failed in all ${plural(failures, "run")} so far.`;
}

type Passed = NonNullable<ExecutionComparison["passed"]>;

function listDifferences(execution: Execution, { changes, headers, body }: ExecutionComparison, passed: Passed) {
  const { statusCode, responseMilliseconds } = execution;
  return [
    ...(changes.includes("statusCode") ? [changed("Status", statusCode, passed.statusCode)] : []),
    ...displayedDifferences("body", body, (pointer) => <code>{describePointer(pointer)}</code>),
    ...displayedDifferences("headers", headers, (pointer) => `Header ${pointer.slice(1)}`),
    ...(changes.includes("time") && responseMilliseconds !== null && passed.responseMilliseconds !== null
      ? [
          changed(
            "Response time",
            formatMilliseconds(responseMilliseconds),
            formatMilliseconds(passed.responseMilliseconds),
          ),
        ]
      : []),
    ...(changes.includes("document") ? [<li key="document">The API's document was imported again.</li>] : []),
  ];
}

function changed(label: string, now: ReactNode, then: ReactNode) {
  return (
    <li key={label}>
      {label} {now}, was {then}
    </li>
  );
}

function displayedDifferences(of: string, compared: BodyComparison | null, getName: (pointer: string) => ReactNode) {
  const { differences = [], differenceCount = 0 } = compared ?? {};
  const left = differenceCount - differences.length;
  return [
    ...differences.map(({ pointer, before, after }) => (
      <li key={`${of} ${pointer}`}>
        {getName(pointer)} {after === null ? "is no longer there" : <code>{after}</code>},{" "}
        {before === null ? (
          "was not there"
        ) : (
          <>
            was <code>{before}</code>
          </>
        )}
      </li>
    )),
    ...(left > 0 ? [<li key={of}>And {plural(left, "other value")}.</li>] : []),
  ];
}
