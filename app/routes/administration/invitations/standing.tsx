import type { Invitation } from "#contracts/security-service/invitations.ts";
import { Badge } from "~/ui/badge/badge";
import { standingOf } from "./invitation-words";

export function Standing({ invitation }: { invitation: Pick<Invitation, "status" | "mailFailure"> }) {
  const { word, tone, icon } = standingOf(invitation);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
