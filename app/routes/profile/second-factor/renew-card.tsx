import type { SubmissionResult } from "@conform-to/react";
import { OwnerCard } from "../owner-card";

export interface RenewCardProps {
  left: number;
  hasPassword: boolean;
  reply: SubmissionResult | undefined;
}

/** Replaces the recovery codes. */
export function RenewCard({ left, hasPassword, reply }: RenewCardProps) {
  return (
    <OwnerCard
      id="renew"
      intent="renew"
      title="Recovery codes"
      description={`${left === 1 ? "1 is" : `${left} are`} left. Each signs you in once without app and passkey. New ones replace those you have.`}
      button="Create new recovery codes"
      hasPassword={hasPassword}
      reply={reply}
    />
  );
}
