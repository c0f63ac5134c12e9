import type { User } from "#contracts/security-service/users.ts";
import { MemberName } from "~/features/people/member-name";
import { rolesInWords } from "~/features/people/role-words";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { Table } from "~/ui/table/table";

export interface MembersCardProps {
  /** The first few, by username. */
  members: readonly User[];
  /** The number of users that the plan allows; undefined while unknown. */
  count: number | undefined;
  /** The viewer, who is marked in the list. */
  ownId: string;
}

export function MembersCard({ members, count, ownId }: MembersCardProps) {
  return (
    <Card
      title="Members"
      description={
        count === undefined
          ? undefined
          : `${formatCount(count)} can sign in.${count > members.length ? " First by username:" : ""}`
      }
      actions={<LinkButton href={href("/administration/user-management")}>All users</LinkButton>}
      flush
    >
      <Table
        caption="Members"
        captionHidden
        rows={members}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "name",
            header: "Name",
            rowHeader: true,
            cell: (member) => <MemberName member={member} ownId={ownId} />,
          },
          { key: "roles", header: "Roles", cell: ({ roles }) => rolesInWords(roles) },
        ]}
      />
    </Card>
  );
}
