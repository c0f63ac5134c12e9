import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { OperationName } from "~/features/operation/operation-name";
import { executionAddress } from "~/features/runs/execution-address";
import { memberName, phaseWords } from "~/features/runs/run-words";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { VerdictSelect } from "~/features/verdict/verdict-select";
import { getStatus } from "~/features/verdict/verdict-words";
import { whyInWords } from "~/features/verdict/why-in-words";
import { Badge } from "~/ui/badge/badge";
import { capitalize } from "~/ui/capitalize";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Row, Stack } from "~/ui/layout/layout";
import { Pagination } from "~/ui/pagination/pagination";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { type Column, Table } from "~/ui/table/table";
import { FromHere } from "./from-here.tsx";

export interface RunMembersProps {
  members: readonly RunMember[];
  /** Collapses them under this label, since the failures are listed separately. */
  foldedAs?: string;
  /** Form of the buttons that repeat the run from a member on; undefined where that makes no sense. */
  againForm?: string;
  /** Which of several places sent it; undefined for a run from one. */
  getPlace?: (member: RunMember) => string;
  verdict?: string;
  resetHref?: string;
  firstHref?: string;
  nextHref?: string;
}

/** One page of a run's executions, in order. */
export function RunMembers({ foldedAs, ...props }: RunMembersProps) {
  const { firstHref, verdict } = props;
  if (foldedAs === undefined) {
    return (
      <section aria-labelledby="members">
        <Stack gap="medium">
          <h2 id="members">Executions</h2>
          <MemberPage {...props} />
        </Stack>
      </section>
    );
  }
  return (
    <section aria-label="Other executions">
      <Disclosure summary={foldedAs} open={Boolean(verdict || firstHref)}>
        <Stack gap="medium">
          <MemberPage {...props} />
        </Stack>
      </Disclosure>
    </section>
  );
}

function MemberPage({ members, againForm, getPlace, verdict, resetHref, firstHref, nextHref }: RunMembersProps) {
  return (
    <>
      <FilterBar label="Filter executions" resetHref={resetHref}>
        <VerdictSelect value={verdict} />
      </FilterBar>
      {members.length > 0 ? (
        <MemberTable members={members} againForm={againForm} getPlace={getPlace} />
      ) : (
        <EmptyState title="No matching executions">
          {verdict ? "No executions match." : "This run has no executions."}
        </EmptyState>
      )}
      <Pagination label="Pages of executions" firstHref={firstHref} nextHref={nextHref} />
    </>
  );
}

function MemberTable({ members, againForm, getPlace }: Pick<RunMembersProps, "members" | "againForm" | "getPlace">) {
  const columns: (Column<RunMember> | undefined)[] = [
    { key: "position", header: "No.", numeric: true, tight: true, cell: ({ position }) => position },
    {
      key: "test",
      header: "Test",
      rowHeader: true,
      cell: (member) => (
        <Row gap="tiny">
          <a href={executionAddress(member)}>{memberName(member)}</a>
          {phaseWords[member.phase] && <Badge icon={null}>{phaseWords[member.phase]}</Badge>}
        </Row>
      ),
    },
    getPlace ? { key: "place", header: "From", cell: (member) => capitalize(getPlace(member)) } : undefined,
    {
      key: "operation",
      header: "Operation",
      cell: ({ method, path }) => <OperationName method={method} path={path} />,
    },
    { key: "verdict", header: "Verdict", cell: (member) => <VerdictBadge status={getStatus(member)} /> },
    { key: "reason", header: "Why", cell: whyInWords },
    { key: "status", header: "Status", numeric: true, cell: ({ statusCode }) => statusCode ?? "–" },
    {
      key: "time",
      header: "Took",
      numeric: true,
      cell: ({ durationMilliseconds }) =>
        durationMilliseconds === null ? "–" : formatMilliseconds(durationMilliseconds),
    },
    { key: "attempts", header: "Attempts", numeric: true, cell: ({ attemptCount }) => attemptCount || "–" },
    againForm
      ? {
          key: "again",
          header: "Run again",
          headerHidden: true,
          tight: true,
          cell: (member) => <FromHere form={againForm} member={member} />,
        }
      : undefined,
  ];
  return (
    <Table
      caption="Executions, in the order of the run"
      captionHidden
      rows={members}
      rowKey={({ executionId }) => executionId}
      columns={columns.filter((column) => column !== undefined)}
    />
  );
}
