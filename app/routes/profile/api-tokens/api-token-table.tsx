import type { ApiToken } from "#contracts/security-service/api-tokens.ts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Ago } from "~/ui/moment/ago";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { scopeName } from "./scope-words";

type DisplayedToken = ApiToken & { isExpired: boolean };

const columnsAt = (now: string): Column<DisplayedToken>[] => [
  {
    key: "name",
    header: "Name",
    rowHeader: true,
    cell: ({ name, ending, isExpired }) => (
      <Row>
        {name}
        <span>ends in {ending}</span>
        {isExpired && <Badge tone="warning">Expired</Badge>}
      </Row>
    ),
  },
  { key: "scopes", header: "May", cell: ({ scopes }) => scopes.map(scopeName).join(", ") },
  { key: "created", header: "Created", wideOnly: true, cell: ({ createdAt }) => <Moment value={createdAt} /> },
  { key: "expires", header: "Expires", cell: ({ expiresAt }) => <Moment value={expiresAt} /> },
  {
    key: "used",
    header: "Used",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago value={lastUsedAt} now={now} /> : "Never"),
  },
  {
    key: "revoke",
    header: "Revoke",
    headerHidden: true,
    tight: true,
    beside: true,
    cell: ({ id, name }) => (
      <LinkButton href={href("/profile/api-tokens", { revoke: id })} size="small">
        Revoke<VisuallyHidden> {name}</VisuallyHidden>
      </LinkButton>
    ),
  },
];

export function ApiTokenTable({ tokens, now }: { tokens: readonly DisplayedToken[]; now: string }) {
  return <Table caption="API tokens" captionHidden columns={columnsAt(now)} rows={tokens} rowKey={({ id }) => id} />;
}
