import type { SubmissionResult } from "@conform-to/react";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import type { SecondFactor } from "../../../../services/security-service/contract/second-factor.ts";
import { PasswordCard } from "./password-card";
import { RenewCard } from "./renew-card";

export interface FactorOnProps {
  factor: SecondFactor;
  reply: SubmissionResult | undefined;
  /** Which of the forms the reply is to. */
  intent: FormDataEntryValue | null | undefined;
}

/** New recovery codes, and the way back to the password alone. */
export function FactorOn({ factor: { enabledAt, recoveryCodesLeft, passkeys }, reply, intent }: FactorOnProps) {
  const left = recoveryCodesLeft === 1 ? "1 recovery code is" : `${recoveryCodesLeft} recovery codes are`;
  return (
    <>
      <Notice tone={recoveryCodesLeft < 3 ? "warning" : "success"} title="It is switched on">
        {enabledAt && (
          <>
            Since <Moment value={enabledAt} />.{" "}
          </>
        )}
        {left} left.
      </Notice>
      <RenewCard left={recoveryCodesLeft} reply={intent === "renew" ? reply : undefined} />
      <PasswordCard
        id="remove"
        intent="remove"
        title="Switch it off"
        description={`${passkeys > 0 ? "Signing in goes on asking for a passkey." : "Signing in asks for your password only."} To move to another phone, switch it off and set it up there.`}
        button="Switch off the second factor"
        variant="danger"
        reply={intent === "remove" ? reply : undefined}
      />
    </>
  );
}
