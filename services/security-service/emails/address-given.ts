import type { OutgoingEmail } from "../../kit/mail/mail.ts";

/** Sent to the previous address of an account when an administrator has changed it. */
export function createAddressTakenEmail(to: string, username: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Your email address was changed by an administrator",
    blocks: [
      {
        kind: "paragraph",
        text: `An administrator of your organization changed the email address of your account “${username}” at API Assurance. Emails about it are no longer sent here.`,
      },
      { kind: "note", text: "If you don't know why, ask an administrator of your organization." },
    ],
  };
}

/** Sent to the new address, which may be a stranger's: it names neither account nor organization. */
export function createAddressGivenEmail(to: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Emails about your account are now sent to this address",
    blocks: [
      {
        kind: "paragraph",
        text: "An administrator of your organization made this the email address of your account at API Assurance. Emails about it are now sent here, including password reset links.",
      },
      {
        kind: "note",
        text: "If you have no account there, the address was mistyped and you can delete this email.",
      },
    ],
  };
}
