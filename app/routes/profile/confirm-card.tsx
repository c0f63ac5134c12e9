import type { OwnAccount } from "#contracts/security-service/own-account.ts";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";

/** Whether the user has to sign in again at their organization's provider before this change. */
export const mustConfirm = ({ hasPassword, confirmedUntil }: Pick<OwnAccount, "hasPassword" | "confirmedUntil">) =>
  !hasPassword && confirmedUntil === null;

/** Replaces a form that requires the password, where the account has none. @param back the current page */
export function ConfirmCard({ title, back }: { title: string; back: string }) {
  return (
    <form method="post" action={href("/profile/confirm")}>
      <input type="hidden" name="redirectTo" value={back} />
      <Card
        title={title}
        description="Your account has no password, so confirm first that it is you: log in with single sign-on again. You return here and have ten minutes."
        footer={<Button variant="primary">Confirm by single sign-on</Button>}
      />
    </form>
  );
}
