import type { Mark } from "#contracts/test-analyzer/marks.ts";
import { MarkName } from "~/features/trends/mark-list";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";

export interface WhatChangedProps {
  apiId: string;
  /** Undefined where unknown. */
  marks: readonly Mark[] | undefined;
}

/** Deployments, document versions and edits of tests in the day before an incident began, the nearest first. */
export function WhatChanged({ apiId, marks }: WhatChangedProps) {
  const hasMarks = marks !== undefined && marks.length > 0;
  return (
    <Card
      title="What changed before"
      flush={hasMarks}
      description={
        marks === undefined
          ? "It can't be shown right now. Try again shortly."
          : hasMarks
            ? "In the day before it began, the nearest first."
            : "Nothing that the portal knows of, in the day before it began."
      }
      footer={<a href={href("/test-management/:apiId/marks", { apiId })}>All changes, and mark a deployment</a>}
    >
      {hasMarks && (
        <Table
          bare
          caption="What changed before, the nearest first"
          captionHidden
          rows={marks}
          rowKey={({ id }) => id}
          columns={[
            { key: "mark", header: "What", rowHeader: true, cell: (mark) => <MarkName mark={mark} /> },
            { key: "at", header: "When", cell: ({ at }) => <Moment value={at} /> },
            { key: "by", header: "Added by", cell: ({ createdBy }) => createdBy ?? "The portal" },
          ]}
        />
      )}
    </Card>
  );
}
