import type { z } from "zod";
import type { compareDocument, OperationChange } from "#contracts/api-registry/comparisons.ts";
import { whatIsAway } from "~/backend/parts";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { type Column, Table } from "~/ui/table/table";

export interface ChangeReviewProps {
  apiId: string;
  changes: z.output<NonNullable<typeof compareDocument.response>>;
}

const displayedChanges = 100;
const displayedTests = 5;

/** The changes of a new version, and the tests they affect, before it is imported. */
export function ChangeReview({ apiId, changes }: ChangeReviewProps) {
  const { added, changed, removed, unchangedCount } = changes;
  const breaking = [...changed.filter((change) => change.breaking), ...removed];
  const all = [...added, ...changed, ...removed];
  return (
    <Stack>
      <Notice
        tone={breaking.length > 0 ? "warning" : "success"}
        title={
          all.length === 0
            ? "No operation changes"
            : `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchangedCount.toLocaleString("en")} unchanged`
        }
      >
        {breaking.length === 0
          ? "Nothing that callers rely on goes away."
          : `${plural(breaking.length, "change")} can break callers${touchedInWords(breaking)}.`}
      </Notice>
      {all.some(({ tests }) => tests === undefined) && (
        <Notice tone="warning" title={whatIsAway(["test-registry"])}>
          Which tests a change touches is not shown.
        </Notice>
      )}
      {(
        [
          ["Removed operations", removed],
          ["Changed operations", changed],
          ["Added operations", added],
        ] as const
      ).map(
        ([title, list]) =>
          list.length > 0 && (
            <Card key={title} title={title} flush>
              <Table
                caption={title}
                captionHidden
                columns={columnsFor(apiId)}
                rows={list.slice(0, displayedChanges)}
                rowKey={({ method, path }) => `${method} ${path}`}
              />
              {list.length > displayedChanges && (
                <p>{(list.length - displayedChanges).toLocaleString("en")} more are not listed.</p>
              )}
            </Card>
          ),
      )}
    </Stack>
  );
}

function touchedInWords(breaking: readonly OperationChange[]): string {
  if (breaking.some(({ tests }) => tests === undefined)) return "";
  const touched = breaking.reduce((sum, { tests }) => sum + (tests?.total ?? 0), 0);
  return `; ${plural(touched, "test")} of this API ${touched === 1 ? "calls" : "call"} what they touch`;
}

function columnsFor(apiId: string): Column<OperationChange>[] {
  return [
    {
      key: "operation",
      header: "Operation",
      rowHeader: true,
      cell: ({ method, path }) => <OperationName method={method} path={path} />,
    },
    {
      key: "breaking",
      header: "Callers",
      tight: true,
      cell: ({ breaking }) =>
        breaking ? <Badge tone="danger">Can break</Badge> : <Badge tone="success">Compatible</Badge>,
    },
    {
      key: "reasons",
      header: "What changes",
      cell: ({ reasons }) =>
        reasons.length === 0 ? (
          "–"
        ) : (
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        ),
    },
    { key: "tests", header: "Tests", cell: (change) => <TouchedTests apiId={apiId} change={change} /> },
  ];
}

function TouchedTests({ apiId, change: { method, path, tests } }: { apiId: string; change: OperationChange }) {
  if (!tests) return "unknown";
  if (tests.total === 0) return "None";
  const hidden = tests.total - Math.min(tests.items.length, displayedTests);
  return (
    <ul>
      {tests.items.slice(0, displayedTests).map(({ id, name }) => (
        <li key={id}>
          <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id })}>{name}</a>
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <a href={href("/test-management/:apiId/tests", { apiId }, { method, query: path })}>{hidden} more</a>
        </li>
      )}
    </ul>
  );
}
