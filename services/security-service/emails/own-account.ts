import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { durationInWords, linkMilliseconds } from "../domain/mailed-link.ts";

/** Sent to the new address, which may be a stranger's. */
export function createConfirmAddressEmail(to: string, href: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Confirm your new email address",
    blocks: [
      {
        kind: "paragraph",
        text: "We received a request to make this the email address of an account at API Assurance.",
      },
      { kind: "button", name: "Confirm this address", href },
      {
        kind: "paragraph",
        text: `The link is valid for ${durationInWords(linkMilliseconds.email_change)} and works once. Until you confirm, the account keeps its current address.`,
      },
      { kind: "note", text: "If you did not request this, ignore this email: your address is not used." },
    ],
  };
}

/** Sent instead of the link when another account has the address: only its owner learns that it exists. */
export function createAddressInUseEmail(to: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Your email address stays with your account",
    blocks: [
      {
        kind: "paragraph",
        text: "We received a request to make this the email address of another account at API Assurance. Your account has it already, and each address belongs to one account.",
      },
      { kind: "note", text: "If you did not request this, ignore this email: nothing changes." },
    ],
  };
}

/**
 * Sent to the previous address. The new one is left out, because the reader may be neither the account's owner nor the
 * new address's.
 */
export function createAddressChangedEmail(to: string, username: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Your email address was changed",
    blocks: [
      {
        kind: "paragraph",
        text: `Your account “${username}” at API Assurance has another email address now. Emails about it are no longer sent here.`,
      },
      {
        kind: "note",
        text: "If this wasn't you, someone else can use your account. Ask your organization's administrator to disable it.",
      },
    ],
  };
}

/** The password was changed by a signed-in user who knew the previous one. */
export function createOwnPasswordChangedEmail(to: string, username: string, portalOrigin: string): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Your password was changed",
    blocks: [
      {
        kind: "paragraph",
        text: `The password of your account “${username}” at API Assurance was just changed on its profile. Every other session was signed out.`,
      },
      {
        kind: "note",
        text: `If this wasn't you, choose a new password now: ${portalOrigin}/password-reset`,
      },
    ],
  };
}
