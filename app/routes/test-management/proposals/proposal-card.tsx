import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { Table } from "~/ui/table/table";
import type { DisplayedProposal } from "./to-displayed-proposal.server";

interface Props {
  apiId: string;
  proposal: DisplayedProposal;
  mayDecide: boolean;
}

/** One proposal: what it changes, what it would notice, and the two ways to decide. */
export function ProposalCard({ apiId, proposal, mayDecide }: Props) {
  const { testId, name, operation, proposedBy, createdAt, reason, isStale } = proposal;
  const { name: person, apiToken } = proposedBy;
  return (
    <Card
      title={`${testId ? "Change" : "New test"}: ${name}`}
      description={
        <>
          {operation}. Proposed by {person}
          {apiToken && `, API token “${apiToken}”`}, <Moment value={createdAt} />.
        </>
      }
      actions={
        testId && (
          <LinkButton href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId })} size="small">
            Open the test
          </LinkButton>
        )
      }
      footer={mayDecide && <Decision proposal={proposal} />}
    >
      <Stack>
        {isStale && (
          <Notice tone="warning" title="The test was changed since this was proposed">
            The comparison below uses the current test: accepting overwrites changes made since.
          </Notice>
        )}
        {reason && <p>{reason}</p>}
        <p>
          {!proposal.canFail && <Badge tone="warning">Unproven</Badge>} {proposal.findings}
        </p>
        <Differences differences={proposal.differences} />
      </Stack>
    </Card>
  );
}

function Differences({ differences }: Pick<DisplayedProposal, "differences">) {
  if (differences.length === 0) return <p>It's identical to the current test.</p>;
  return (
    <Table
      caption="What it changes"
      rows={differences}
      rowKey={({ part }) => part}
      columns={[
        { key: "part", header: "Part", rowHeader: true, cell: ({ part }) => part },
        { key: "removed", header: "Now", cell: ({ removed }) => <Lines lines={removed} /> },
        { key: "added", header: "Proposed", cell: ({ added }) => <Lines lines={added} /> },
      ]}
    />
  );
}

function Lines({ lines }: { lines: string[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and their order never changes.
    <div key={index}>
      <code>{line}</code>
    </div>
  ));
}

function Decision({ proposal: { id, name, version } }: { proposal: DisplayedProposal }) {
  return (
    <form method="post">
      <input type="hidden" name="proposalId" value={id} />
      <input type="hidden" name="version" value={version ?? ""} />
      <Row>
        <Button variant="primary" name="decision" value="accept" aria-label={`Accept the proposal for ${name}`}>
          Accept
        </Button>
        <Button name="decision" value="reject" aria-label={`Reject the proposal for ${name}`}>
          Reject
        </Button>
      </Row>
    </form>
  );
}
