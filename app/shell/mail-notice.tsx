import { href } from "~/href";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkButton } from "~/ui/button/button";
import { Prose } from "~/ui/prose/prose";

export interface MailNoticeProps {
  /** The contents of the mail, in a sentence. */
  contents: string;
  /** Lifetime of its link, such as `24 hours`. */
  holds: string;
  /** Address of the form that sends it again. */
  startOver: string;
  /** This installation has its own mailbox, which this visitor may read. */
  mailboxIsOpen: boolean;
}

/**
 * Says where to find the mailed link, and what to do if it does not arrive. Never reveals whether an account exists.
 */
export function MailNotice({ contents, holds, startOver, mailboxIsOpen }: MailNoticeProps) {
  return (
    <FormPage
      title="Check your email"
      description={contents}
      below={
        <p>
          <a href={startOver}>Send it again or to another address</a>
        </p>
      }
    >
      <Prose>
        <p>The link is valid for {holds} and works once. You can close this page.</p>
        <p>Nothing after a few minutes?</p>
        <ul>
          <li>Check your spam folder and other mail folders.</li>
          <li>Check the spelling of the address, and that it can receive external email.</li>
          <li>After several emails to one address, sending pauses for an hour. Wait, then try again.</li>
        </ul>
      </Prose>
      {mailboxIsOpen && (
        <LinkButton href={href("/sandbox/mail")} icon="mail">
          Open this installation's mailbox
        </LinkButton>
      )}
    </FormPage>
  );
}
