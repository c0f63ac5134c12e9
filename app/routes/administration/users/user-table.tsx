import type { User } from "#contracts/security-service/users.ts";
import { MemberName } from "~/features/people/member-name";
import { rolesInWords } from "~/features/people/role-words";
import { Moment } from "~/ui/moment/moment";
import { type Column, Table } from "~/ui/table/table";

export interface UserTableProps {
  users: readonly User[];
  /** The viewer, who is marked in the list. */
  ownId: string;
}

export function UserTable({ users, ownId }: UserTableProps) {
  const columns: Column<User>[] = [
    {
      key: "name",
      header: "Name",
      rowHeader: true,
      cell: (member) => <MemberName member={member} ownId={ownId} />,
    },
    { key: "username", header: "Username", cell: ({ username }) => username },
    { key: "email", header: "Email", cell: ({ email }) => email || "No email" },
    { key: "roles", header: "Roles", cell: ({ roles }) => rolesInWords(roles) },
    {
      key: "since",
      header: "Member since",
      tight: true,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment value={createdAt} />,
    },
  ];
  return <Table caption="Users" captionHidden columns={columns} rows={users} rowKey={({ id }) => id} />;
}
