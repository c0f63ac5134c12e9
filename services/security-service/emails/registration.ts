import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { durationInWords, linkMilliseconds } from "../domain/mailed-link.ts";

/**
 * Anyone can send this to any address: it contains no user input, so that it can't carry a stranger's text in our name.
 */
export function createRegistrationEmail(to: string, href: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Complete your registration",
    blocks: [
      { kind: "paragraph", text: "We received a request to create an account at API Assurance with this address." },
      { kind: "button", name: "Complete registration", href },
      {
        kind: "paragraph",
        text: `The link is valid for ${durationInWords(linkMilliseconds.registration)} and creates one account. Don't forward this email.`,
      },
      {
        kind: "note",
        text: "If you did not request this, ignore this email: no account is created without the link.",
      },
    ],
  };
}
