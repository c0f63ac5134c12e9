import type { Invitation } from "#contracts/security-service/invitations.ts";
import { Badge } from "~/ui/badge/badge";
import { getStatusWords } from "./invitation-words";

export function InvitationStatus({ invitation }: { invitation: Pick<Invitation, "status" | "mailFailure"> }) {
  const { word, tone, icon } = getStatusWords(invitation);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
