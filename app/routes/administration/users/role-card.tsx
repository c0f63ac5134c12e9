import { givenRoles, roleMay, roleName } from "~/features/people/role-words";
import { toSearch } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { type Column, Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import * as styles from "./role-card.css";

export interface RoleCardProps {
  name: string;
  roles: readonly string[];
  here: string;
  mayChange: boolean;
}

/** Each role with its permissions, granted or revoked one by one. */
export function RoleCard({ name, roles, here, mayChange }: RoleCardProps) {
  // The operator's role, and roles of a newer version, are displayed only for users who have them.
  const others = roles.filter((role) => !givenRoles.some((given) => given === role));
  const columns: Column<string>[] = [
    {
      key: "role",
      header: "Role",
      rowHeader: true,
      cell: (role) => <span className={styles.role}>{roleName(role)}</span>,
    },
    { key: "may", header: "What it allows", selfEvident: true, cell: (role) => roleMay(role) },
    {
      key: "held",
      header: "Assigned",
      tight: true,
      selfEvident: true,
      beside: true,
      cell: (role) => (roles.includes(role) ? <Badge tone="success">Assigned</Badge> : "Not assigned"),
    },
  ];
  if (mayChange) {
    columns.push({
      key: "change",
      header: "Change",
      headerHidden: true,
      tight: true,
      beside: true,
      cell: (role) =>
        !others.includes(role) && <RoleChange {...{ role, name, here }} isGranted={roles.includes(role)} />,
    });
  }
  return (
    <Card title="Roles" description="Changes take effect immediately, including in open sessions." flush id="roles">
      <Table
        caption={`Roles of ${name}`}
        captionHidden
        bare
        columns={columns}
        rows={[...others, ...givenRoles]}
        rowKey={(role) => role}
      />
    </Card>
  );
}

function RoleChange({
  role,
  name,
  here,
  isGranted: isHeld,
}: {
  role: string;
  name: string;
  here: string;
  isGranted: boolean;
}) {
  const of = (
    <VisuallyHidden>
      {" "}
      the role {roleName(role)} {isHeld ? "from" : "to"} {name}
    </VisuallyHidden>
  );
  if (isHeld) {
    return (
      <LinkButton href={here + toSearch({ dialog: "take", role })} size="small">
        Remove{of}
      </LinkButton>
    );
  }
  // Roles with power over all users need confirmation.
  if (role === "ADMIN") {
    return (
      <LinkButton href={here + toSearch({ dialog: "give", role })} size="small">
        Assign{of}
      </LinkButton>
    );
  }
  return (
    <form method="post" action={here}>
      <input type="hidden" name="role" value={role} />
      <Button name="intent" value="give" size="small">
        Assign{of}
      </Button>
    </form>
  );
}
