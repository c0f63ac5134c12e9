import { OperationName } from "~/operation/operation-name";
import { executionAddress } from "~/runs/execution-address";
import { memberName } from "~/runs/run-words";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Stack } from "~/ui/layout/layout";
import { Pagination } from "~/ui/pagination/pagination";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { VerdictBadge } from "~/verdict/verdict-badge";
import { standingOf, standingWords } from "~/verdict/verdict-words";
import type { RunMember } from "../../../services/test-executioner/contract/runs.ts";
import { verdicts } from "../../../services/test-executioner/contract/verdicts.ts";

export interface RunMembersProps {
  members: readonly RunMember[];
  verdict?: string;
  resetHref?: string;
  firstHref?: string;
  nextHref?: string;
}

/** One page of a run's executions, in their order. */
export function RunMembers({ members, verdict, resetHref, firstHref, nextHref }: RunMembersProps) {
  return (
    <section aria-labelledby="members">
      <Stack gap="medium">
        <h2 id="members">Executions</h2>
        <FilterBar label="Filter executions" resetHref={resetHref}>
          <Select
            label="Verdict"
            labelHidden
            name="verdict"
            defaultValue={verdict ?? ""}
            options={[
              { value: "", label: "All verdicts" },
              ...verdicts.map((value) => ({ value, label: standingWords[value].word })),
            ]}
          />
        </FilterBar>
        {members.length > 0 ? (
          <MemberTable members={members} />
        ) : (
          <EmptyState title="No execution fits">
            {verdict ? "None of this run's executions ended like that." : "This run has no executions."}
          </EmptyState>
        )}
        <Pagination label="Pages of executions" firstHref={firstHref} nextHref={nextHref} />
      </Stack>
    </section>
  );
}

function MemberTable({ members }: { members: readonly RunMember[] }) {
  return (
    <Table
      caption="Executions, in the order of the run"
      captionHidden
      rows={members}
      rowKey={({ executionId }) => executionId}
      columns={[
        { key: "position", header: "No.", numeric: true, tight: true, cell: ({ position }) => position },
        {
          key: "test",
          header: "Test",
          rowHeader: true,
          cell: (member) => <a href={executionAddress(member)}>{memberName(member)}</a>,
        },
        {
          key: "operation",
          header: "Operation",
          cell: ({ method, path }) => <OperationName method={method} path={path} />,
        },
        { key: "verdict", header: "Verdict", cell: (member) => <VerdictBadge standing={standingOf(member)} /> },
        { key: "reason", header: "Why", cell: ({ reason }) => reason ?? "–" },
        { key: "status", header: "Status", numeric: true, cell: ({ statusCode }) => statusCode ?? "–" },
        {
          key: "time",
          header: "Took",
          numeric: true,
          cell: ({ durationMilliseconds }) =>
            durationMilliseconds === null ? "–" : formatMilliseconds(durationMilliseconds),
        },
        { key: "attempts", header: "Attempts", numeric: true, cell: ({ attemptCount }) => attemptCount || "–" },
      ]}
    />
  );
}
