import { createTestAddress, operationAddress } from "~/routes/api-management/$apiId/swagger/addresses";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Table } from "~/ui/table/table";
import { standingWords } from "~/verdict/verdict-words";
import type { OperationCoverage } from "../../../services/test-analyzer/contract/trends.ts";
import * as styles from "./assurance-matrix.css";
import { verificationsAddress } from "./executions/address";

export interface MatrixRow extends OperationCoverage {
  /** Undefined: nobody could say. */
  testCount: number | undefined;
}

export interface AssuranceMatrixProps {
  apiId: string;
  rows: MatrixRow[];
  mayWrite: boolean;
}

/** Operations × documented responses × last verdict. What no test has seen is as visible as what failed. */
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
            <a href={operationAddress(apiId, operation)}>
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
          cell: (row) => <Responses apiId={apiId} row={row} />,
        },
        {
          key: "tests",
          header: "Tests",
          numeric: true,
          cell: ({ operation, testCount }) =>
            testCount ? (
              <a
                href={`/test-management/${apiId}/tests?method=${operation.method}&query=${encodeURIComponent(operation.path)}`}
              >
                {testCount}
              </a>
            ) : (
              (testCount ?? "unknown")
            ),
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
                href={createTestAddress(apiId, operation)}
                aria-label={`Create a test for ${operation.method.toUpperCase()} ${operation.path}`}
              >
                Create test
              </LinkButton>
            ),
        },
      ]}
    />
  );
}

function Responses({ apiId, row }: { apiId: string; row: MatrixRow }) {
  return (
    <Row gap="tiny">
      {row.responses.map((response) => (
        <ResponseMark key={response.status} apiId={apiId} response={response} />
      ))}
      {row.undocumented.map((response) => (
        <ResponseMark key={response.status} apiId={apiId} response={response} undocumented />
      ))}
    </Row>
  );
}

interface ResponseMarkProps {
  apiId: string;
  response: OperationCoverage["responses"][number];
  undocumented?: boolean;
}

function ResponseMark({ apiId, response, undocumented }: ResponseMarkProps) {
  const { status, verdict, executionId, testId } = response;
  if (!verdict || !executionId || !testId) {
    return (
      <Badge icon="dot" title={`${status}: no test got this response yet`}>
        {status} <span className={styles.word}>untested</span>
      </Badge>
    );
  }
  const { word, tone, icon } = standingWords[verdict];
  return (
    <a href={verificationsAddress(apiId, testId, executionId)} className={styles.mark}>
      <Badge tone={undocumented ? "warning" : tone} icon={icon}>
        {status}{" "}
        <span className={styles.word}>
          {undocumented ? `${word.toLowerCase()}, not documented` : word.toLowerCase()}
        </span>
      </Badge>
    </a>
  );
}
