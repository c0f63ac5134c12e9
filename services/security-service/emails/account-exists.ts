import type { OutgoingEmail } from "../../kit/mail/mail.ts";

/** Sent instead of a registration link, so that only the mailbox's owner learns that the account exists. */
export function createAccountExistsEmail(to: string, portalOrigin: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "You have an account already",
    blocks: [
      {
        kind: "paragraph",
        text: "We received a request to create an account at API Assurance with this address. You have one already, so nothing was created.",
      },
      { kind: "button", name: "Log in", href: `${portalOrigin}/login` },
      { kind: "paragraph", text: "You can log in with this address or your username." },
      { kind: "button", name: "Choose a new password", href: `${portalOrigin}/password-reset` },
      { kind: "note", text: "If you did not request this, ignore this email: nothing changes." },
    ],
  };
}
