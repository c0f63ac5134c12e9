import type { OperationCoverage } from "#contracts/test-analyzer/trends.ts";
import type { ApiNotices } from "#contracts/test-executioner/notices.ts";
import { CannotFail } from "~/features/notices/cannot-fail";
import { noticedShare } from "~/features/notices/notices-words";
import { LacksValues } from "~/features/runs/lacks-values";
import { statusWords } from "~/features/verdict/verdict-words";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Row } from "~/ui/layout/layout";
import { useFormatMoment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import * as styles from "./assurance-matrix.css";
import type { Lacking } from "./lacking-values.server";

export interface MatrixRow extends OperationCoverage {
  /** Undefined where unknown. */
  testCount: number | undefined;
  /** Undefined where its tests were not measured. */
  noticed: Noticed | undefined;
  /** Undefined where its tests have all required values. */
  lacking: Lacking | undefined;
}

export interface AssuranceMatrixProps {
  apiId: string;
  rows: MatrixRow[];
  mayWrite: boolean;
}

/** Operations × documented responses × last verdict. An untested response is as visible as a failed one. */
export function AssuranceMatrix({ apiId, rows, mayWrite }: AssuranceMatrixProps) {
  return (
    <Table
      caption="Operations and their documented responses"
      captionHidden
      rows={rows}
      rowKey={({ operation }) => `${operation.method} ${operation.path}`}
      columns={[
        {
          key: "operation",
          header: "Operation",
          rowHeader: true,
          cell: ({ operation }) => (
            <a
              href={href(
                "/api-management/:apiId/swagger/operation",
                { apiId },
                { method: operation.method, path: operation.path },
              )}
            >
              <code className={styles.operation}>
                <b>{operation.method.toUpperCase()}</b> {operation.path}
              </code>
              {operation.summary && <span className={styles.summary}>{operation.summary}</span>}
            </a>
          ),
        },
        {
          key: "responses",
          header: "Responses",
          selfEvident: true,
          cell: (row) => (
            <Row gap="tiny">
              <Responses apiId={apiId} row={row} />
              {row.lacking && <LacksValues {...{ apiId, mayWrite }} {...row.lacking} />}
            </Row>
          ),
        },
        {
          key: "tests",
          header: "Tests",
          numeric: true,
          cell: ({ operation, testCount }) =>
            testCount ? (
              <a
                href={href(
                  "/test-management/:apiId/tests",
                  { apiId },
                  { method: operation.method, query: operation.path },
                )}
              >
                {testCount}
              </a>
            ) : (
              (testCount ?? "unknown")
            ),
        },
        {
          key: "noticed",
          header: "Changes noticed",
          numeric: true,
          wideOnly: true,
          cell: ({ noticed }) => (noticed ? <NoticedShare noticed={noticed} /> : "–"),
        },
        {
          key: "create",
          header: "Create test",
          headerHidden: true,
          tight: true,
          cell: ({ operation }) =>
            mayWrite && (
              <LinkButton
                size="small"
                icon="plus"
                href={href(
                  "/test-management/:apiId/tests/make",
                  { apiId },
                  { operation: `${operation.method} ${operation.path}` },
                )}
                aria-label={`Create test for ${operation.method.toUpperCase()} ${operation.path}`}
              >
                Create test
              </LinkButton>
            ),
        },
      ]}
    />
  );
}

type Noticed = ApiNotices["operations"][number];

function NoticedShare({ noticed }: { noticed: Noticed }) {
  const { tests, changes, cannotFail } = noticed;
  return (
    <>
      {cannotFail > 0 && <CannotFail count={cannotFail} />}{" "}
      <span
        title={`${formatCount(noticed.noticed)} of ${plural(changes, "change")} tried with ${plural(tests, "test")}`}
      >
        {noticedShare(noticed)}&nbsp;%
      </span>
    </>
  );
}

function Responses({ apiId, row }: { apiId: string; row: MatrixRow }) {
  return (
    <>
      {row.responses.map((response) => (
        <ResponseMark key={response.status} apiId={apiId} response={response} />
      ))}
      {row.undocumented.map((response) => (
        <ResponseMark key={response.status} apiId={apiId} response={response} undocumented />
      ))}
    </>
  );
}

interface ResponseMarkProps {
  apiId: string;
  response: OperationCoverage["responses"][number];
  undocumented?: boolean;
}

function ResponseMark({ apiId, response, undocumented }: ResponseMarkProps) {
  const { status, verdict, executionId, testId, finishedAt, superseded } = response;
  const formatMoment = useFormatMoment();
  if (!verdict || !executionId || !testId) {
    return (
      <Badge icon="dot" title={`${status}: no test got this response yet`}>
        {status} <span className={styles.untested}>untested</span>
      </Badge>
    );
  }
  const { word, tone, icon } = statusWords[verdict];
  return (
    <a
      href={href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/verifications", {
        apiId,
        testId,
        testExecutionId: executionId,
      })}
      className={styles.mark}
    >
      {superseded && finishedAt ? (
        <Badge icon="clock" title="Its test has received other responses since">
          {status} <span className={styles.word}>last seen {formatMoment(finishedAt).split(", ")[0]}</span>
        </Badge>
      ) : (
        <Badge tone={undocumented ? "warning" : tone} icon={icon}>
          {status}{" "}
          <span className={styles.word}>
            {undocumented ? `${word.toLowerCase()}, not documented` : word.toLowerCase()}
          </span>
        </Badge>
      )}
    </a>
  );
}
