import type { User } from "#contracts/security-service/users.ts";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Row } from "~/ui/layout/layout";

export interface MemberNameProps {
  member: Pick<User, "id" | "fullName" | "disabled">;
  /** Who looks: marked in a list. */
  ownId: string;
}

/** Leads to a member's page, and says what sets the account apart. */
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
