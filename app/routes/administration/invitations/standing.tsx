import { Badge } from "~/ui/badge/badge";
import type { Invitation } from "../../../../services/security-service/contract/invitations.ts";
import { standingOf } from "./invitation-words";

export function Standing({ invitation }: { invitation: Pick<Invitation, "status" | "mailFailure"> }) {
  const { word, tone, icon } = standingOf(invitation);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
