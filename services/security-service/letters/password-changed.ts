import type { PostedLetter } from "../../kit/mail/mail.ts";

/** Tells the owner, in case it was somebody else who read their mail. */
export function passwordChangedLetter(to: string, username: string, portalOrigin: string): PostedLetter {
  return {
    to: { address: to },
    subject: "Your password was changed",
    blocks: [
      {
        kind: "paragraph",
        text: `The password of your account “${username}” at API Assurance was just changed with a link from a letter to this address. Every session was signed out.`,
      },
      { kind: "button", name: "Log in", href: `${portalOrigin}/login` },
      {
        kind: "note",
        text: `It wasn't you? Then somebody reads your mail. Secure your mailbox first, then choose a new password: ${portalOrigin}/password-reset`,
      },
    ],
  };
}
