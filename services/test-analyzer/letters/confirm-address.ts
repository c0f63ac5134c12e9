import type { PostedLetter } from "../../kit/mail/mail.ts";

/** Anybody with an account can have this sent to any address, so nothing they typed stands in it but the address. */
export function confirmAddressLetter(to: string, href: string): PostedLetter {
  return {
    to: { address: to },
    subject: "Do you want alerts at this address?",
    blocks: [
      {
        kind: "paragraph",
        text: "Somebody at API Assurance wants to send alerts to this address: letters that say when an API breaks and when it is well again.",
      },
      { kind: "button", name: "See who asks, and confirm", href },
      { kind: "paragraph", text: "The link holds for 7 days." },
      { kind: "note", text: "You did not expect this? Then do nothing: without the link no alert is sent." },
    ],
  };
}
