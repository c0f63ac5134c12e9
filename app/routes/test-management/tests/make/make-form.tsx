import { PlanLink } from "~/features/plans/plan-link";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { islandAttributes } from "~/islands/island-attributes";
import { Button, DefaultSubmit } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Dialog, type DialogAction } from "~/ui/dialog/dialog";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import * as styles from "./make-form.css";
import {
  isMakeable,
  isTickedAtFirst,
  type MakeableOperation,
  type MakeReply,
  type NeededValue,
  operationValue,
} from "./making";
import { OperationGroup } from "./operation-group";
import { ValuesNeeded } from "./values-needed";

export interface MakeFormProps {
  apiId: string;
  operations: MakeableOperation[];
  values: NeededValue[];
  /** Number of matches on all pages. */
  total: number;
  hasMorePages: boolean;
  /** The address names one operation, whose test may also be written by hand. */
  isAlone: boolean;
  mayRun: boolean;
  managesBilling: boolean;
  runKey: string;
  reply: MakeReply | undefined;
}

/** Selects the operations that get a test. The island `ticked-operations` counts and ticks whole groups without a request. */
export function MakeForm(props: MakeFormProps) {
  const { apiId, operations, values, total, hasMorePages, isAlone, mayRun, managesBilling, runKey, reply } = props;
  const ticked = tickedIn(operations, reply);
  const groups = [...new Set(operations.map(({ group }) => group))];
  const makeable = operations.some(isMakeable);
  return (
    <>
      {reply?.error && (
        <Notice role="alert" tone="danger" title={reply.error.title}>
          {reply.error.message} {reply.error.isPlan && <PlanLink managesBilling={managesBilling} />}
        </Notice>
      )}
      <form method="post" id="make" {...islandAttributes("ticked-operations")}>
        <Stack gap="large">
          <DefaultSubmit name="intent" value="create" />
          <RunKey value={runKey} />
          {makeable && <CreateButtons mayRun={mayRun} className={styles.top} />}
          <ValuesNeeded values={values} typed={reply?.typed} taking={reply?.taking} />
          {groups.map((group, index) => (
            <OperationGroup
              key={group}
              id={`group-${index}`}
              {...{ apiId, group, ticked, isAlone }}
              operations={operations.filter((operation) => operation.group === group)}
            />
          ))}
          {makeable && operations.length > 5 && <CreateButtons mayRun={mayRun} />}
          {hasMorePages && <CreateAll total={total} mayRun={mayRun} />}
        </Stack>
      </form>
      {reply?.asks && <AskToRun asks={reply.asks} ticked={[...ticked]} runKey={runKey} />}
    </>
  );
}

/** The submitted selection, with the effect of a group's button; initially the safe operations. */
function tickedIn(operations: MakeableOperation[], reply: MakeReply | undefined): Set<string> {
  if (!reply?.ticked) return new Set(operations.filter(isTickedAtFirst).map(operationValue));
  const { group } = reply;
  const sent = new Set(reply.ticked);
  const isTicked = (one: MakeableOperation) =>
    group && one.group === group.name ? group.on : sent.has(operationValue(one));
  return new Set(operations.filter((one) => isMakeable(one) && isTicked(one)).map(operationValue));
}

function CreateButtons({ mayRun, className }: { mayRun: boolean; className?: string }) {
  return (
    <Row className={className}>
      <Button name="intent" value="create" variant={mayRun ? "secondary" : "primary"} data-counted="Create">
        Create ticked tests
      </Button>
      {mayRun && (
        <Button name="intent" value="create-and-run" variant="primary" icon="play" data-counted="Create and run">
          Create and run ticked tests
        </Button>
      )}
    </Row>
  );
}

/** For matches on other pages. */
function CreateAll({ total, mayRun }: { total: number; mayRun: boolean }) {
  const count = formatCount(total);
  return (
    <section aria-labelledby="create-all" className={styles.all}>
      <h2 id="create-all">All {count} that match</h2>
      <p>Not only those of this page, whatever is ticked. Operations that have a test are left out.</p>
      <Row>
        <Button name="intent" value="create-all">{`Create tests for all ${count}`}</Button>
        {mayRun && (
          <Button name="intent" value="create-and-run-all" icon="play">
            Create all, run the safe ones
          </Button>
        )}
      </Row>
    </section>
  );
}

const list = new Intl.ListFormat("en");

/** Asks once for confirmation before tests that may change data run, and lists them by method. */
function AskToRun({
  asks,
  ticked,
  runKey,
}: {
  asks: NonNullable<MakeReply["asks"]>;
  ticked: string[];
  runKey: string;
}) {
  const { methods, safe, all } = asks;
  const runAll: DialogAction = {
    name: `Create and run all ${all}`,
    ...{ value: "create-run-ticked", icon: "play", style: "danger" },
  };
  const runSafe: DialogAction = {
    name: `Create all ${all}, run ${safe} safe`,
    ...{ value: "create-run-safe", icon: "play", style: "secondary" },
  };
  return (
    <Dialog
      title={`Run ${plural(all - safe, "test")} that may change data?`}
      message={`What is ticked includes ${list.format(methods)}. What these create, change or delete on the server is not undone.`}
      fields={{ [runKeyField]: runKey, operations: JSON.stringify(ticked) }}
      actions={safe > 0 ? [runSafe, runAll] : [runAll]}
    />
  );
}
