import type { Incident, IncidentTest } from "#contracts/test-analyzer/incidents.ts";
import { OperationName } from "~/features/operation/operation-name";
import { executionAddress } from "~/features/runs/execution-address";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { formatAgo, Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { wideOnly } from "~/ui/table/table.css";
import type { Tone } from "~/ui/tone";

const statusWords: Record<IncidentTest["state"], { word: string; tone: Tone }> = {
  failing: { word: "Failing", tone: "danger" },
  well: { word: "Recovered", tone: "success" },
  left: { word: "Left", tone: "neutral" },
};

export interface IncidentTestsProps {
  incident: Incident;
  now: string;
}

/** The operations that fail because of it, with location, start and test. */
export function IncidentTests({ incident: { tests, affected }, now }: IncidentTestsProps) {
  return (
    <Card
      title="Tests"
      description={
        tests.some(({ state }) => state === "left")
          ? "Each leads to its history. “Left”: failing for another reason, or deleted."
          : "Each leads to its history."
      }
      flush
      footer={affected > tests.length && `And ${formatCount(affected - tests.length)} others.`}
    >
      <Table
        bare
        caption="Affected tests, failing first"
        captionHidden
        rows={tests}
        rowKey={({ testId, testCircleId, environment }) => `${testId} ${testCircleId} ${environment}`}
        columns={[
          {
            key: "test",
            header: "Test",
            rowHeader: true,
            cell: ({ apiId, testId, testName }) => (
              <a href={href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId })}>{testName}</a>
            ),
          },
          {
            key: "operation",
            header: "Operation",
            wideOnly: true,
            cell: ({ method, path }) => <OperationName method={method} path={path} />,
          },
          { key: "where", header: "Where", selfEvident: true, clipped: true, cell: (test) => <Where test={test} /> },
          {
            key: "state",
            header: "State",
            selfEvident: true,
            beside: true,
            cell: ({ state, recovery }) =>
              recovery ? (
                <Badge tone="warning" icon="clock">
                  Recovering
                </Badge>
              ) : (
                <Badge tone={statusWords[state].tone}>{statusWords[state].word}</Badge>
              ),
          },
          {
            key: "since",
            header: "Since",
            cell: ({ since }) => (
              <span>
                {formatAgo(since, now)}
                <span className={wideOnly}>
                  , <Moment value={since} />
                </span>
              </span>
            ),
          },
          {
            key: "reason",
            header: "Reason",
            selfEvident: true,
            clipped: true,
            cell: (test) => <a href={executionAddress(test)}>{test.reason ?? "See the execution"}</a>,
          },
          {
            key: "run",
            header: "Run",
            wideOnly: true,
            tight: true,
            cell: ({ apiId, runId, testName }) => (
              <a
                href={href("/test-management/:apiId/runs/:runId", { apiId, runId })}
                aria-label={`Run of the newest failure of ${testName}`}
              >
                Run
              </a>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Where({ test }: { test: IncidentTest }) {
  const { apiId, apiName, testCircleId, testCircleName, environment } = test;
  return (
    <span>
      <a href={href("/test-management/:apiId/manage", { apiId })}>{apiName}</a>
      {testCircleId && (
        <>
          , circle{" "}
          <a href={href("/test-management/:apiId/test-circles/:testCircleId/executions/list", { apiId, testCircleId })}>
            {testCircleName}
          </a>
        </>
      )}
      {environment && `, ${environment}`}
    </span>
  );
}
