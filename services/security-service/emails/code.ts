import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { codeMilliseconds } from "../domain/mailed-code.ts";
import { durationInWords } from "../domain/mailed-link.ts";

/** The code is not in the subject, which lock screens display. */
export function createCodeEmail(to: string, code: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Your verification code",
    blocks: [
      { kind: "paragraph", text: "Enter this code where you are creating your account at API Assurance:" },
      { kind: "code", code },
      {
        kind: "paragraph",
        text: `It is valid for ${durationInWords(codeMilliseconds)}. A newer code replaces it. No one from API Assurance will ever ask you for it.`,
      },
      {
        kind: "note",
        text: "If you are not creating an account, someone else has a link that was emailed to you. It does not work without this code: don't share it.",
      },
    ],
  };
}
