import type { PostedLetter } from "../../kit/mail/mail.ts";
import { durationInWords, linkMilliseconds } from "../domain/mailed-link.ts";

/**
 * Anybody can have this sent to any address: nothing they typed stands in it, or it would be a way to send somebody
 * else's words in our name.
 */
export function registrationLetter(to: string, href: string): PostedLetter {
  return {
    to: { address: to },
    subject: "Complete your registration",
    blocks: [
      { kind: "paragraph", text: "Somebody, hopefully you, asked for an account at API Assurance with this address." },
      { kind: "button", name: "Complete registration", href },
      {
        kind: "paragraph",
        text: `The link holds for ${durationInWords(linkMilliseconds.registration)} and makes one account. Don't pass this mail on.`,
      },
      {
        kind: "note",
        text: "You did not ask for it? Then do nothing: without the link no account comes to be.",
      },
    ],
  };
}
