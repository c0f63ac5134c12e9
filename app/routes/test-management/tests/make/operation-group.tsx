import type { ReactNode } from "react";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Icon } from "~/ui/icon/icon";
import { Row } from "~/ui/layout/layout";
import * as styles from "./make-form.css";
import { isMakeable, type MakeableOperation, operationValue } from "./making";

export interface OperationGroupProps {
  id: string;
  apiId: string;
  group: string;
  operations: MakeableOperation[];
  /** By their values. */
  ticked: ReadonlySet<string>;
  /** The only operation displayed, whose test may also be written by hand. */
  isAlone: boolean;
}

/** Related operations, selected one by one or all at once. */
export function OperationGroup({ id, apiId, group, operations, ticked, isAlone }: OperationGroupProps) {
  const tickable = operations.filter(isMakeable).length;
  return (
    <fieldset className={styles.group} data-group>
      <legend className={styles.legend}>
        {group} <span className={styles.count}>{operations.length}</span>
      </legend>
      {tickable > 1 && (
        <Row gap="tiny" className={styles.groupButtons}>
          <TickButton on group={group} />
          <TickButton on={false} group={group} />
        </Row>
      )}
      <ul className={styles.rows}>
        {operations.map((operation, index) => (
          <li key={operationValue(operation)} className={styles.row}>
            {isMakeable(operation) ? (
              <Tickable id={`${id}-${index}`} operation={operation} ticked={ticked.has(operationValue(operation))} />
            ) : (
              <NotTickable apiId={apiId} operation={operation} />
            )}
            {isAlone && !operation.gap && <WriteIt apiId={apiId} {...operation} />}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function TickButton({ on, group }: { on: boolean; group: string }) {
  return (
    <Button
      name="intent"
      value={`${on ? "tick" : "untick"}:${group}`}
      size="small"
      variant="quiet"
      data-ticks={on ? "all" : "none"}
      aria-label={on ? `Tick all of ${group}` : `Untick all of ${group}`}
    >
      {on ? "Tick all" : "Untick all"}
    </Button>
  );
}

function Tickable({ id, operation, ticked }: { id: string; operation: MakeableOperation; ticked: boolean }) {
  const { method, path, checks, needs } = operation;
  const more = [checks && `checks ${checks}`, needs.length > 0 && `needs ${needs.join(", ")}`].filter(Boolean);
  return (
    <Checkbox
      id={id}
      name="operation"
      value={operationValue(operation)}
      defaultChecked={ticked}
      label={
        <Row gap="small">
          <OperationName method={method} path={path} />
          <Marks {...operation} />
        </Row>
      }
      hint={<Description operation={operation} more={more.join(" · ")} />}
    />
  );
}

/** An operation that has a test, or whose test has to be written by hand. */
function NotTickable({ apiId, operation }: { apiId: string; operation: MakeableOperation }) {
  const { method, path, testCount, gap } = operation;
  const more =
    testCount > 0 ? (
      <a href={href("/test-management/:apiId/tests", { apiId }, { method, query: path })}>
        {plural(testCount, "test")}
      </a>
    ) : (
      <>
        {gap}. <WriteIt apiId={apiId} method={method} path={path} />
      </>
    );
  return (
    <div className={styles.settled}>
      <Icon name={testCount > 0 ? "check" : "pencil"} className={styles.settledIcon} />
      <div>
        <Row gap="small">
          <OperationName method={method} path={path} />
          <Marks {...operation} />
        </Row>
        <p className={styles.description}>
          <Description operation={operation} more={more} />
        </p>
      </div>
    </div>
  );
}

function WriteIt({ apiId, method, path }: { apiId: string; method: string; path: string }) {
  return (
    <a href={href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName: path, method })}>
      Write it yourself
    </a>
  );
}

function Marks({ effect, deprecated }: MakeableOperation) {
  return (
    <>
      {effect === "changes" && <Badge tone="warning">Changes data</Badge>}
      {effect === "deletes" && <Badge tone="danger">Deletes</Badge>}
      {deprecated && <Badge tone="warning">Deprecated</Badge>}
    </>
  );
}

function Description({ operation: { summary }, more }: { operation: MakeableOperation; more: ReactNode }) {
  return (
    <>
      {summary}
      {summary && more && " · "}
      {more}
    </>
  );
}
