import { loginFor } from "~/features/plans/picked-plan";
import { href } from "~/href";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkButton } from "~/ui/button/button";
import { Prose } from "~/ui/prose/prose";

/** Replaces the ways to register where accounts are by invitation only. */
export function ByInvitationOnly({ serviceId }: { serviceId?: string | null }) {
  return (
    <FormPage
      title="Accounts are by invitation only"
      below={
        <p>
          No one to ask? <a href={href("/contact")}>Write to us</a>.
        </p>
      }
    >
      <Prose>
        <p>
          Ask an administrator of your organization to invite you. You'll get an email with a link to create your
          account.
        </p>
        {serviceId && <p>If you have an account, log in to continue with the plan you picked.</p>}
      </Prose>
      <LinkButton href={loginFor(serviceId)} variant="primary" size="large" fullWidth>
        Log in
      </LinkButton>
    </FormPage>
  );
}
