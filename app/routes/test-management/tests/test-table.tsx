import { CannotFail } from "~/features/notices/cannot-fail";
import { OperationName } from "~/features/operation/operation-name";
import { executionAddress } from "~/features/runs/execution-address";
import { LacksValues } from "~/features/runs/lacks-values";
import { RunKey } from "~/features/runs/run-key";
import { stripWords } from "~/features/verdict/strip-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getEdge, getStatus, statusWords } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { sortLink } from "~/ui/list-page/sort-link";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import { Ago } from "~/ui/moment/ago";
import { useFormatMoment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { tickColumn } from "~/ui/selection/tick-column";
import { Strip } from "~/ui/strip/strip";
import { rowActions } from "~/ui/table/row-actions.css";
import { type Column, Table } from "~/ui/table/table";
import type { ListedTest, TestSort } from "./list.server";
import * as styles from "./test-table.css";

export interface TestTableProps {
  apiId: string;
  /** The list's own address, with filters. */
  address: string;
  sort: TestSort;
  cursor: string | undefined;
  tests: readonly ListedTest[];
  /** Ids of the ticked tests. */
  ticked: readonly string[];
  mayRun: boolean;
  mayWrite: boolean;
  /** For the forms that run one of the tests. */
  runKey: string;
  /** The reference time for "ago". */
  now: string;
}

/** The tests of an API. */
export function TestTable({ apiId, address, sort, cursor, tests, ticked, now, ...may }: TestTableProps) {
  const columns: (Column<ListedTest> | false)[] = [
    tickColumn(ticked, ({ name }) => name),
    {
      key: "verdict",
      header: "Verdict",
      selfEvident: true,
      tight: true,
      className: styles.verdict,
      sort: sortLink(address, sort, "verdict"),
      cell: ({ id, last }) =>
        last ? (
          <a href={executionAddress({ apiId, testId: id, executionId: last.executionId })}>
            <VerdictBadge status={getStatus(last)} />
          </a>
        ) : (
          <VerdictBadge status={null} />
        ),
    },
    {
      key: "name",
      header: "Test",
      rowHeader: true,
      className: styles.test,
      sort: sortLink(address, sort, "name"),
      cell: ({ id, name, enabled, tags, reason, needs, cannotFail }) => (
        <>
          <Row gap="tiny" className={styles.name}>
            <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id })}>{name}</a>
            {!enabled && <Badge icon="pause">Disabled</Badge>}
            {cannotFail && <CannotFail />}
            <LacksValues names={needs} />
            {tags.map((tag) => (
              <Badge key={tag} icon={null}>
                {tag}
              </Badge>
            ))}
          </Row>
          {reason && <div className={styles.reason}>{reason}</div>}
        </>
      ),
    },
    {
      key: "operation",
      header: "Operation",
      selfEvident: true,
      className: styles.operation,
      // A list by path has one order.
      sort: { ...sortLink(address, sort, "path"), href: listAddress(address, { sort: "path" }) },
      cell: ({ method, path }) => <OperationName method={method} path={path} inColumn />,
    },
    {
      key: "verdicts",
      header: "Last verdicts",
      wideOnly: true,
      cell: (test) => <LastVerdicts apiId={apiId} test={test} now={now} />,
    },
    {
      key: "response",
      header: "Response",
      wideOnly: true,
      numeric: true,
      cell: ({ last }) => (last?.responseMilliseconds == null ? "–" : formatMilliseconds(last.responseMilliseconds)),
    },
    {
      key: "finished",
      header: "Last run",
      selfEvident: true,
      className: styles.lastRun,
      sort: sortLink(address, sort, "-lastRun"),
      cell: ({ last }) => (last ? <Ago value={last.finishedAt ?? last.queuedAt} now={now} /> : "Never"),
    },
    {
      key: "actions",
      header: "Actions",
      headerHidden: true,
      tight: true,
      className: styles.actions,
      cell: (test) => <TestActions {...{ apiId, address, cursor, test }} {...may} />,
    },
  ];
  return (
    <Table
      caption="Tests"
      captionHidden
      columns={columns.filter((column) => column !== false)}
      rows={tests}
      rowKey={({ id }) => id}
      rowId={({ id }) => `test-${id}`}
      rowEdge={({ last }) => last && getEdge(getStatus(last))}
    />
  );
}

/** The last verdicts of the test. */
function LastVerdicts({ apiId, test: { id, last }, now }: { apiId: string; test: ListedTest; now: string }) {
  const format = useFormatMoment();
  const recent = last?.recent ?? [];
  if (recent.length === 0) return "–";
  const items = recent.toReversed().map(({ executionId, verdict, finishedAt }) => ({
    key: executionId,
    tone: statusWords[verdict].tone,
    label: `${statusWords[verdict].word}, ${format(finishedAt)}`,
  }));
  return (
    <Strip
      text={stripWords(recent, "execution", now)}
      items={items}
      href={href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId: id })}
    />
  );
}

type TestActionsProps = Pick<TestTableProps, "apiId" | "address" | "cursor" | "mayRun" | "mayWrite" | "runKey"> & {
  test: ListedTest;
};

function TestActions({ apiId, address, cursor, test, mayRun, mayWrite, runKey }: TestActionsProps) {
  const formId = `actions-${test.id}`;
  return (
    <form method="post" id={formId}>
      <input type="hidden" name="testId" value={test.id} />
      <RunKey value={runKey} />
      <Row gap="tiny" justify="end" className={rowActions}>
        {mayRun && (
          <Button size="small" variant="quiet" icon="play" name="intent" value="run" aria-label={`Run ${test.name}`}>
            Run
          </Button>
        )}
        <Menu label={`More for ${test.name}`} labelHidden icon="more" size="small" variant="quiet">
          <MenuLink href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: test.id })} icon="pencil">
            {mayWrite ? "Edit" : "View"}
          </MenuLink>
          <MenuLink
            href={href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId: test.id })}
            icon="clock"
          >
            Executions
          </MenuLink>
          {mayWrite && (
            <>
              <MenuButton name="intent" value="duplicate" icon="copy">
                Duplicate
              </MenuButton>
              <MenuButton
                name="intent"
                value={test.enabled ? "disable" : "enable"}
                icon={test.enabled ? "pause" : "play"}
              >
                {test.enabled ? "Disable" : "Enable"}
              </MenuButton>
              <MenuLink href={listAddress(address, { dialog: "delete", testId: test.id, cursor })} icon="trash" danger>
                Delete
              </MenuLink>
            </>
          )}
        </Menu>
      </Row>
    </form>
  );
}
