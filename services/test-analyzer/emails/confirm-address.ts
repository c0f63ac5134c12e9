import type { OutgoingEmail } from "../../kit/mail/mail.ts";

/** Any user can have this sent to any address, so it contains no user input except the address. */
export function createConfirmAddressEmail(to: string, href: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Send alerts to this address?",
    blocks: [
      {
        kind: "paragraph",
        text: "Someone at API Assurance wants to send alerts to this address: emails when an API fails and recovers.",
      },
      { kind: "button", name: "See who is asking, and confirm", href },
      { kind: "paragraph", text: "The link is valid for 7 days." },
      { kind: "note", text: "If you did not expect this, ignore this email: no alerts are sent unless you confirm." },
    ],
  };
}
