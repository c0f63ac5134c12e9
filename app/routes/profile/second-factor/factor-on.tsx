import type { SubmissionResult } from "@conform-to/react";
import type { OwnAccount } from "#contracts/security-service/own-account.ts";
import type { SecondFactor } from "#contracts/security-service/second-factor.ts";
import { href } from "~/href";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { ConfirmCard, mustConfirm } from "../confirm-card";
import { OwnerCard } from "../owner-card";
import { RenewCard } from "./renew-card";

export interface FactorOnProps {
  factor: SecondFactor;
  account: OwnAccount;
  reply: SubmissionResult | undefined;
  /** The form that the reply belongs to. */
  intent: FormDataEntryValue | null | undefined;
}

/** New recovery codes, and the switch back to the password alone. */
export function FactorOn({ factor, account, reply, intent }: FactorOnProps) {
  const { enabledAt, recoveryCodesLeft, passkeys } = factor;
  const { hasPassword } = account;
  const left = recoveryCodesLeft === 1 ? "1 recovery code is" : `${recoveryCodesLeft} recovery codes are`;
  return (
    <>
      <Notice tone={recoveryCodesLeft < 3 ? "warning" : "success"} title="Enabled">
        {enabledAt && (
          <>
            Since <Moment value={enabledAt} />.{" "}
          </>
        )}
        {left} left.
      </Notice>
      {mustConfirm(account) ? (
        <ConfirmCard title="Change it" back={href("/profile/second-factor")} />
      ) : (
        <>
          <RenewCard {...{ left: recoveryCodesLeft, hasPassword }} reply={intent === "renew" ? reply : undefined} />
          <OwnerCard
            id="remove"
            intent="remove"
            title="Switch it off"
            description={`${passkeys > 0 ? "Signing in still asks for a passkey." : `Signing in only requires ${hasPassword ? "your password" : "single sign-on"}.`} To move to another phone, switch it off and set it up there.`}
            button="Switch off the second factor"
            variant="danger"
            hasPassword={hasPassword}
            reply={intent === "remove" ? reply : undefined}
          />
        </>
      )}
    </>
  );
}
