import { PlanLink } from "~/features/plans/plan-link";
import { RunKey, runKeyField } from "~/features/runs/run-key";
import { islandAttributes } from "~/islands/island-attributes";
import { Button, DefaultSubmit } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Dialog, type DialogAction } from "~/ui/dialog/dialog";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { CircleList } from "./circle-list";
import { InvalidRequests } from "./invalid-requests";
import { LeftOut } from "./left-out";
import * as styles from "./make-form.css";
import { type DisplayedCircle, type DisplayedRefusals, invalidField, type MakeReply, type NeededValue } from "./making";
import { AskToRunOne, OneOperation } from "./one-operation";
import type { DisplayedOperation } from "./one-operation.server";
import { ValuesNeeded } from "./values-needed";

export interface MakeFormProps {
  apiId: string;
  circles: DisplayedCircle[];
  refusals: DisplayedRefusals;
  values: NeededValue[];
  leftOut: DisplayedCircle["leftOut"];
  /** The operation in the address, which may also get a single test. */
  one: DisplayedOperation | undefined;
  /** Number of operations that match, on all pages. */
  total: number;
  hasMorePages: boolean;
  mayRun: boolean;
  managesBilling: boolean;
  runKey: string;
  reply: MakeReply | undefined;
}

/** Selects the circles of the plan. The island `ticked-circles` counts and ticks them without a request. */
export function MakeForm(props: MakeFormProps) {
  const { apiId, circles, refusals, values, leftOut, one, total, hasMorePages, mayRun, managesBilling, runKey, reply } =
    props;
  const ticked = tickedIn(circles, reply);
  const toMake = [...circles, ...refusals.circles].filter(({ madeAt }) => !madeAt);
  const isInvalidTicked = reply?.invalid ?? true;
  return (
    <>
      {reply?.error && (
        <Notice role="alert" tone="danger" title={reply.error.title}>
          {reply.error.message} {reply.error.isPlan && <PlanLink managesBilling={managesBilling} />}
        </Notice>
      )}
      <form method="post" id="make" {...islandAttributes("ticked-circles")}>
        <Stack gap="large">
          <DefaultSubmit name="intent" value={one ? "create-one" : "create"} />
          <RunKey value={runKey} />
          <ValuesNeeded values={values} typed={reply?.typed} />
          {one && <OneOperation apiId={apiId} operation={one} mayRun={mayRun} />}
          {circles.length > 0 && (
            <CircleList circles={circles} ticked={ticked}>
              {toMake.length > 0 && <CreateButtons mayRun={mayRun} isSecond={one !== undefined} />}
            </CircleList>
          )}
          <InvalidRequests refusals={refusals} ticked={isInvalidTicked} />
          {toMake.length > 10 && <CreateButtons mayRun={mayRun} isSecond />}
          <LeftOut apiId={apiId} operations={leftOut} />
          {hasMorePages && <CreateAll total={total} mayRun={mayRun} />}
        </Stack>
      </form>
      {reply?.asks && <AskToRun asks={reply.asks} ticked={[...ticked]} invalid={isInvalidTicked} runKey={runKey} />}
      {reply?.asksOne && one && <AskToRunOne method={one.method} runKey={runKey} />}
    </>
  );
}

/** Keys of the submitted selection, with the effect of the pressed button; initially those that are safe. */
function tickedIn(circles: DisplayedCircle[], reply: MakeReply | undefined): Set<string> {
  const sent = reply?.ticked && reply.tick === undefined ? new Set(reply.ticked) : undefined;
  const isTicked = ({ key, isTickedAtFirst }: DisplayedCircle) =>
    sent ? sent.has(key) : isTickedAtFirst && reply?.tick !== "none";
  return new Set(circles.filter((circle) => !circle.madeAt && isTicked(circle)).map(({ key }) => key));
}

function CreateButtons({ mayRun, isSecond }: { mayRun: boolean; isSecond: boolean }) {
  const primary = isSecond ? "secondary" : "primary";
  return (
    <Row>
      {mayRun && (
        <Button name="intent" value="create-and-run" variant={primary} icon="play" data-counted="Create and run">
          Create and run
        </Button>
      )}
      <Button name="intent" value="create" variant={mayRun ? "secondary" : primary} data-counted="Create">
        Create
      </Button>
    </Row>
  );
}

/** For matches on other pages. */
function CreateAll({ total, mayRun }: { total: number; mayRun: boolean }) {
  const count = formatCount(total);
  return (
    <section aria-labelledby="create-all" className={styles.all}>
      <h2 id="create-all">All {count} that match</h2>
      <p>The circles of all these operations that change only their own data, regardless of the selection.</p>
      <Row>
        {mayRun && (
          <Button name="intent" value="create-and-run-all" icon="play">
            {`Create and run circles of all ${count}`}
          </Button>
        )}
        <Button name="intent" value="create-all">{`Create circles of all ${count}`}</Button>
      </Row>
    </section>
  );
}

/** Asks once for confirmation before circles run that change what they did not make. */
function AskToRun({
  asks: { changing, all },
  ticked,
  invalid,
  runKey,
}: {
  asks: NonNullable<MakeReply["asks"]>;
  ticked: string[];
  invalid: boolean;
  runKey: string;
}) {
  const safe = all - changing.length;
  const runAll: DialogAction = {
    name: all === 1 ? "Create and run it" : `Create and run all ${all}`,
    ...{ value: "create-run-ticked", icon: "play", style: "danger" },
  };
  const runSafe: DialogAction = {
    name: `Create all ${all}, run ${safe} safe`,
    ...{ value: "create-run-safe", icon: "play", style: "secondary" },
  };
  return (
    <Dialog
      title={`Run ${plural(changing.length, "circle")} that ${changing.length === 1 ? "changes" : "change"} what is there?`}
      message="This already exists and others may use it."
      fields={{ [runKeyField]: runKey, circles: JSON.stringify(ticked), ...(invalid ? { [invalidField]: "yes" } : {}) }}
      actions={safe > 0 ? [runSafe, runAll] : [runAll]}
    >
      <ul>
        {changing.map(({ name, effect }) => (
          <li key={name}>
            {name}: {effect}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
