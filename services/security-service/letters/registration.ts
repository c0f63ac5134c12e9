import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { durationInWords, linkMilliseconds } from "../domain/mailed-link.ts";

/**
 * Anybody can have this sent to any address: nothing they typed stands in it, or it would be a way to send somebody
 * else's words in our name.
 */
export function registrationLetter(to: string, href: string): OutgoingEmail {
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
