import type { ReactNode } from "react";
import type { ComparedMember, MissingMember } from "#contracts/test-executioner/comparisons.ts";
import { executionAddress } from "~/features/runs/execution-address";
import { memberName, phaseWords } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { statusWords } from "~/features/verdict/verdict-words";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Table } from "~/ui/table/table";
import { toBodyElementId } from "./body-differences";
import * as styles from "./compared-members.css";

type Changed = ComparedMember["changes"][number];

/** The current value, followed by the previous one where it differs; on a phone always three lines. */
export function ComparedMembers({ members }: { members: readonly ComparedMember[] }) {
  return (
    <Table
      caption="Executions of both runs side by side"
      captionHidden
      rows={members}
      rowKey={({ executionId }) => executionId}
      columns={[
        { key: "position", header: "No.", numeric: true, tight: true, cell: ({ position }) => position },
        { key: "test", header: "Test", rowHeader: true, cell: (member) => <MemberName member={member} /> },
        {
          key: "verdict",
          header: "Verdict",
          selfEvident: true,
          beside: true,
          cell: (member) => (
            <span>
              <VerdictBadge status={member.verdict ?? "cancelled"} />
              {was(member, "verdict", ({ verdict }) => statusWords[verdict ?? "cancelled"].word.toLowerCase())}
            </span>
          ),
        },
        {
          key: "status",
          header: "Status",
          cell: (member) => (
            <span>
              {member.statusCode ?? "–"}
              {was(member, "statusCode", ({ statusCode }) => statusCode)}
            </span>
          ),
        },
        { key: "body", header: "Body differs in", clipped: true, cell: (member) => <BodyCell member={member} /> },
        {
          key: "time",
          header: "Time",
          cell: (member) => (
            <span>
              {getTime(member)}
              {was(member, "time", getTime)}
            </span>
          ),
        },
      ]}
    />
  );
}

function MemberName({ member }: { member: ComparedMember }) {
  const phase = phaseWords[member.phase];
  return (
    <span className={styles.name}>
      <a href={executionAddress(member)}>{memberName(member)}</a>
      {phase && <Badge icon={null}>{phase}</Badge>}
      {!member.before && <Badge tone="info">New</Badge>}
    </span>
  );
}

function was(
  { before, changes }: ComparedMember,
  change: Changed,
  show: (before: NonNullable<ComparedMember["before"]>) => ReactNode,
) {
  return before && changes.includes(change) ? <span className={styles.was}>, was {show(before)}</span> : null;
}

function getTime({ responseMilliseconds: time }: Pick<ComparedMember, "responseMilliseconds">): string {
  return time === null ? "–" : formatMilliseconds(time);
}

function BodyCell({ member }: { member: ComparedMember }) {
  const { body } = member;
  if (!body) return null;
  const { differenceCount: count } = body;
  return (
    <a href={`#${toBodyElementId(member)}`}>
      {count === 0 ? "what always differs" : `${count.toLocaleString("en")} ${count === 1 ? "value" : "values"}`}
    </a>
  );
}

/** Members of the other run only. */
export function MissingMembers({ members }: { members: readonly MissingMember[] }) {
  return (
    <Card title="Not in this run" flush>
      <Table
        bare
        caption="Executions only in the other run"
        captionHidden
        rows={members}
        rowKey={({ executionId }) => executionId}
        columns={[
          {
            key: "test",
            header: "Test",
            rowHeader: true,
            cell: (member) => <a href={executionAddress(member)}>{memberName(member)}</a>,
          },
          {
            key: "verdict",
            header: "Previous verdict",
            cell: ({ verdict }) => <VerdictBadge status={verdict ?? "cancelled"} />,
          },
        ]}
      />
    </Card>
  );
}
