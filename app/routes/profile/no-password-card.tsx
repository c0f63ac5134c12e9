import type { OwnAccount } from "#contracts/security-service/own-account.ts";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";

const title = "Your account has no password";

/** Replaces the form for changing it: explains the alternative. */
export function NoPasswordCard({ email, takesPassword }: Pick<OwnAccount, "email" | "takesPassword">) {
  if (!takesPassword) {
    return (
      <Card
        title={title}
        description="You log in with single sign-on, which your organization requires. Your password is changed at its provider."
      />
    );
  }
  if (!email) {
    return (
      <Card
        title={title}
        description="You log in with single sign-on. To have a password as well, add an email address first: we email the link to choose one there."
        footer={<LinkButton href={href("/profile/email")}>Add an email address</LinkButton>}
      />
    );
  }
  return (
    <form method="post" action={href("/signout")}>
      {/* The page that mails the link is for signed-out visitors. */}
      <input type="hidden" name="returnTo" value={href("/password-reset")} />
      <Card
        title={title}
        description={`You log in with single sign-on. To have a password as well, log out and request a link to choose one, which is emailed to ${email}.`}
        footer={<Button>Log out and choose a password by email</Button>}
      />
    </form>
  );
}
