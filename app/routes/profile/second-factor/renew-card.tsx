import type { SubmissionResult } from "@conform-to/react";
import { PasswordCard } from "./password-card";

/** New recovery codes for those there are. */
export function RenewCard({ left, reply }: { left: number; reply: SubmissionResult | undefined }) {
  return (
    <PasswordCard
      id="renew"
      intent="renew"
      title="Recovery codes"
      description={`${left === 1 ? "1 is" : `${left} are`} left. Each signs you in once without app and passkey. New ones replace those you have.`}
      button="Make new recovery codes"
      reply={reply}
    />
  );
}
