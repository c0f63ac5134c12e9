import { useMatches } from "@remix-run/react";
import { selectedField } from "~/features/export/selected-field";
import { CannotFail } from "~/features/notices/cannot-fail";
import { OperationName } from "~/features/operation/operation-name";
import { executionAddress } from "~/features/runs/execution-address";
import { LacksValues } from "~/features/runs/lacks-values";
import { RunKey } from "~/features/runs/run-key";
import { reasonLine } from "~/features/verdict/reason-line.css";
import { stripWords } from "~/features/verdict/strip-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { getEdge, getStatus, statusWords } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { getEnvironmentVariables } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { joinClasses } from "~/ui/join-classes";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import { Ago } from "~/ui/moment/ago";
import { useFormatMoment } from "~/ui/moment/moment";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Strip } from "~/ui/strip/strip";
import { rowActions } from "~/ui/table/row-actions.css";
import { type Column, type SortDirection, Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import type { ListedTest } from "./list.server";
import { selectedForm } from "./selected-fields";
import * as styles from "./test-table.css";

export interface TestTableProps {
  apiId: string;
  /** The list's own address, with filters. */
  address: string;
  sort: string;
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
  const given = getEnvironmentVariables(useMatches());
  const columns: (Column<ListedTest> | false)[] = [
    {
      key: "tick",
      header: "Tick",
      headerHidden: true,
      tight: true,
      cell: ({ id, name }) => (
        <input
          type="checkbox"
          form={selectedForm}
          name={selectedField}
          value={id}
          defaultChecked={ticked.includes(id)}
          aria-label={`Select ${name}`}
          className={styles.tick}
        />
      ),
    },
    {
      key: "name",
      header: "Test",
      rowHeader: true,
      sort: sortLink(address, sort, "name"),
      cell: ({ id, name, enabled, tags, reason, needs, cannotFail }) => (
        <>
          <Row gap="tiny">
            <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id })}>{name}</a>
            {!enabled && <Badge icon="pause">Disabled</Badge>}
            {cannotFail && <CannotFail />}
            <LacksValues apiId={apiId} mayWrite={may.mayWrite} names={needs.filter((name) => !given.includes(name))} />
            {tags.map((tag) => (
              <Badge key={tag} icon={null}>
                {tag}
              </Badge>
            ))}
          </Row>
          {reason && <div className={joinClasses(reasonLine, wideOnly)}>{reason}</div>}
        </>
      ),
    },
    {
      key: "operation",
      header: "Operation",
      selfEvident: true,
      sort: sortLink(address, sort, "path"),
      cell: ({ method, path }) => <OperationName method={method} path={path} />,
    },
    {
      key: "verdict",
      header: "Last verdict",
      selfEvident: true,
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
      cell: ({ last }) => (last ? <Ago value={last.finishedAt ?? last.queuedAt} now={now} /> : "Never"),
    },
    {
      key: "actions",
      header: "Actions",
      headerHidden: true,
      tight: true,
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

function sortLink(address: string, sort: string, by: "name" | "path") {
  const direction: SortDirection | undefined = sort === by ? "ascending" : sort === `-${by}` ? "descending" : undefined;
  const next = by === "name" && direction === "ascending" ? "-name" : by;
  return { href: listAddress(address, { sort: next }), direction };
}
