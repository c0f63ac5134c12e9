import type { User } from "#contracts/security-service/users.ts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Row } from "~/ui/layout/layout";

export interface MemberNameProps {
  member: Pick<User, "id" | "fullName" | "disabled">;
  /** The viewer, who is marked in a list. */
  ownId: string;
}

/** Links to a member's page, and shows anything special about the account. */
export function MemberName({ member: { id, fullName, disabled }, ownId }: MemberNameProps) {
  return (
    <Row>
      <a href={href("/administration/user-management/users/:userId/edit", { userId: id })}>{fullName}</a>
      {id === ownId && <Badge tone="info">You</Badge>}
      {disabled && (
        <Badge tone="warning" icon="lock">
          Disabled
        </Badge>
      )}
    </Row>
  );
}
