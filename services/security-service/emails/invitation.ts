import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { durationInWords, linkMilliseconds } from "../domain/mailed-link.ts";
import { quotedName } from "../domain/quoted-name.ts";

export interface InvitationWords {
  id: string;
  to: string;
  organizationName: string;
  invitedBy: string;
  href: string;
}

/** The subject is fixed; the names in the text are user input. */
export function createInvitationEmail({ id, to, organizationName, invitedBy, href }: InvitationWords): OutgoingEmail {
  return {
    reference: `invitation/${id}`,
    to: { address: to },
    subject: "You are invited to API Assurance",
    blocks: [
      {
        kind: "paragraph",
        text: `“${quotedName(invitedBy)}” invites you to join the organization “${quotedName(organizationName)}” at API Assurance, where teams test the APIs they depend on.`,
      },
      { kind: "button", name: "Accept the invitation", href },
      {
        kind: "paragraph",
        text: `The link is valid for ${durationInWords(linkMilliseconds.invitation)} and is meant only for you: don't forward this email.`,
      },
      {
        kind: "note",
        text: "If you don't know who invited you, ignore this email: no account is created unless you accept.",
      },
    ],
  };
}

/** The invitation's id from an email's reference; undefined for other emails. */
export function invitationOfReference(reference: string): string | undefined {
  return /^invitation\/(.+)$/.exec(reference)?.[1];
}
