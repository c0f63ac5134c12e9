import type { OperationCoverage } from "#contracts/test-analyzer/trends.ts";
import type { ApiNotices } from "#contracts/test-executioner/notices.ts";
import { CannotFail } from "~/features/notices/cannot-fail";
import { noticedShare } from "~/features/notices/notices-words";
import { OperationName } from "~/features/operation/operation-name";
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

export interface MatrixRow extends OperationCoverage {
  /** Undefined where unknown. */
  testCount: number | undefined;
  /** Undefined where its tests were not measured. */
  noticed: Noticed | undefined;
}

export interface AssuranceMatrixProps {
  apiId: string;
  rows: MatrixRow[];
  /** Tags of the document in its order. */
  tags: readonly string[];
  mayWrite: boolean;
}

/** Operations × documented responses × last verdict, by tag. Colour is for responses that are not as documented. */
export function AssuranceMatrix({ apiId, rows, tags, mayWrite }: AssuranceMatrixProps) {
  const byTag = [...tags, ""].flatMap((tag) => rows.filter(({ operation }) => operation.tag === tag));
  // A tag added since.
  const others = rows.filter(({ operation }) => operation.tag && !tags.includes(operation.tag));
  return (
    <Table
      bare
      caption="Operations and their documented responses"
      captionHidden
      rows={[...byTag, ...others]}
      groupOf={tags.length > 0 ? ({ operation }) => operation.tag || "Without tag" : undefined}
      rowKey={({ operation }) => `${operation.method} ${operation.path}`}
      columns={[
        {
          key: "operation",
          header: "Operation",
          rowHeader: true,
          className: styles.ownLine,
          cell: ({ operation }) => (
            <a
              className={styles.link}
              href={href(
                "/api-management/:apiId/swagger/operation",
                { apiId },
                { method: operation.method, path: operation.path },
              )}
            >
              <OperationName method={operation.method} path={operation.path} inColumn className={styles.operation} />
              {operation.summary && <span className={styles.summary}>{operation.summary}</span>}
            </a>
          ),
        },
        {
          key: "responses",
          header: "Responses",
          selfEvident: true,
          className: styles.ownLine,
          cell: (row) => (
            <Row gap="tiny">
              <Responses apiId={apiId} row={row} />
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
          className: styles.create,
          cell: ({ operation }) =>
            mayWrite && (
              <LinkButton
                size="small"
                variant="quiet"
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
      <Badge icon="dot" className={styles.quiet.untested} title={`${status}: no test got this response yet`}>
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
        <Badge icon="clock" className={styles.quiet.untested} title="Its test has received other responses since">
          {status} <span className={styles.word}>last seen {formatMoment(finishedAt).split(", ")[0]}</span>
        </Badge>
      ) : (
        <Badge
          tone={undocumented ? "warning" : tone}
          icon={icon}
          className={verdict === "passed" && !undocumented ? styles.quiet.passed : undefined}
        >
          {status}{" "}
          <span className={styles.word}>
            {undocumented ? `${word.toLowerCase()}, not documented` : word.toLowerCase()}
          </span>
        </Badge>
      )}
    </a>
  );
}
