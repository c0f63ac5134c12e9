import type { PostedLetter } from "../../kit/mail/mail.ts";

/** Sent instead of a registration's link: only whoever reads the mailbox learns that there is an account. */
export function accountExistsLetter(to: string, portalOrigin: string): PostedLetter {
  return {
    to: { address: to },
    subject: "You have an account already",
    blocks: [
      {
        kind: "paragraph",
        text: "Somebody, hopefully you, asked for an account at API Assurance with this address. There is one already, so no other was made.",
      },
      { kind: "button", name: "Log in", href: `${portalOrigin}/login` },
      { kind: "paragraph", text: "You can log in with this address or your username." },
      { kind: "button", name: "Choose a new password", href: `${portalOrigin}/password-reset` },
      { kind: "note", text: "You did not ask for it? Then do nothing: your account is as it was." },
    ],
  };
}
