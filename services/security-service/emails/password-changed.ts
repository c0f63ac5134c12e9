import type { OutgoingEmail } from "../../kit/mail/mail.ts";

/** Notifies the owner, in case someone else has access to their mail. */
export function createPasswordChangedEmail(to: string, username: string, portalOrigin: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Your password was changed",
    blocks: [
      {
        kind: "paragraph",
        text: `The password of your account “${username}” at API Assurance was just changed with a link from an email to this address. Every session was signed out.`,
      },
      { kind: "button", name: "Log in", href: `${portalOrigin}/login` },
      {
        kind: "note",
        text: `If this wasn't you, someone else can read your email. Secure your mailbox first, then choose a new password: ${portalOrigin}/password-reset`,
      },
    ],
  };
}
