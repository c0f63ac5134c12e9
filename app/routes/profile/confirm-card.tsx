import type { OwnAccount } from "#contracts/security-service/own-account.ts";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";

/** Whether somebody has to go round by their organization's provider before they change this. */
export const mustConfirm = ({ hasPassword, confirmedUntil }: Pick<OwnAccount, "hasPassword" | "confirmedUntil">) =>
  !hasPassword && confirmedUntil === null;

/** In place of a form that asks for the password, where the account has none. @param back the page it stands on */
export function ConfirmCard({ title, back }: { title: string; back: string }) {
  return (
    <form method="post" action={href("/profile/confirm")}>
      <input type="hidden" name="redirectTo" value={back} />
      <Card
        title={title}
        description="Your account has no password, so confirm first that it is you: log in with single sign-on again. You come back here and have ten minutes."
        footer={<Button variant="primary">Confirm by single sign-on</Button>}
      />
    </form>
  );
}
