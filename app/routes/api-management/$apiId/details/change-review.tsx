import type { z } from "zod";
import { href } from "~/href";
import { OperationName } from "~/operation/operation-name";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { type Column, Table } from "~/ui/table/table";
import type { compareDocument, operationChange } from "../../../../../services/api-registry/contract/comparisons.ts";
import { plural } from "../../figures";

type Change = z.output<typeof operationChange>;

export interface ChangeReviewProps {
  apiId: string;
  changes: z.output<NonNullable<typeof compareDocument.answer>>;
  /** Tests by operation; undefined when nobody could say. */
  testCounts: readonly { method: string; path: string; total: number }[] | undefined;
}

const shownChanges = 100;

/** What a new version would change, and which tests that touches, before it is imported. */
export function ChangeReview({ apiId, changes, testCounts }: ChangeReviewProps) {
  const { added, changed, removed, unchangedCount } = changes;
  const touched = new Map(testCounts?.map(({ method, path, total }) => [`${method} ${path}`, total]));
  const breaking = [...changed.filter((change) => change.breaking), ...removed];
  const touchedTests = breaking.reduce((sum, { method, path }) => sum + (touched.get(`${method} ${path}`) ?? 0), 0);
  const nothing = added.length + changed.length + removed.length === 0;
  return (
    <Stack>
      <Notice
        tone={breaking.length > 0 ? "warning" : "success"}
        title={
          nothing
            ? "No operation changes"
            : `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchangedCount.toLocaleString("en")} unchanged`
        }
      >
        {breaking.length === 0
          ? "Nothing that callers rely on goes away."
          : `${plural(breaking.length, "change")} can break callers; ${plural(touchedTests, "test")} of this API call what they touch.`}
      </Notice>
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
                columns={columnsFor(apiId, touched)}
                rows={list.slice(0, shownChanges)}
                rowKey={({ method, path }) => `${method} ${path}`}
              />
              {list.length > shownChanges && (
                <p>{(list.length - shownChanges).toLocaleString("en")} more are not listed.</p>
              )}
            </Card>
          ),
      )}
    </Stack>
  );
}

function columnsFor(apiId: string, touched: ReadonlyMap<string, number>): Column<Change>[] {
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
    {
      key: "tests",
      header: "Tests",
      numeric: true,
      cell: ({ method, path }) => {
        const count = touched.get(`${method} ${path}`) ?? 0;
        if (count === 0) return "0";
        return <a href={href("/test-management/:apiId/tests", { apiId }, { query: path })}>{count}</a>;
      },
    },
  ];
}
