import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { quotedName } from "../domain/quoted-name.ts";

/** Notifies the owner, in case someone else used their browser. */
export function createApiTokenCreatedEmail(to: string, name: string, portalOrigin: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "An API token was created",
    blocks: [
      {
        kind: "paragraph",
        text: `The API token “${quotedName(name)}” was just created for your account at API Assurance. Anyone who has it can use the API in your name.`,
      },
      { kind: "button", name: "See your API tokens", href: `${portalOrigin}/profile/api-tokens` },
      { kind: "note", text: "If this wasn't you, revoke the token and change your password." },
    ],
  };
}
