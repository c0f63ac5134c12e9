import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { durationInWords, linkMilliseconds } from "../domain/mailed-link.ts";

export function createPasswordResetEmail(to: string, username: string, href: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Choose a new password",
    blocks: [
      {
        kind: "paragraph",
        text: `We received a request for a new password for your account “${username}” at API Assurance.`,
      },
      { kind: "button", name: "Choose a new password", href },
      {
        kind: "paragraph",
        text: `The link is valid for ${durationInWords(linkMilliseconds.password_reset)} and works once. Choosing a new password signs you out everywhere.`,
      },
      { kind: "note", text: "If you did not request this, ignore this email: your password stays as it is." },
    ],
  };
}
