import type { OutgoingEmail } from "../../kit/mail/mail.ts";

const news = {
  on: {
    subject: "Your second factor was switched on",
    text: "Signing in to your account at API Assurance now asks for a code from your app after the password.",
  },
  off: {
    subject: "Your second factor was switched off",
    text: "Signing in to your account at API Assurance now only requires the password.",
  },
  appOff: {
    subject: "Your authenticator app was removed",
    text: "Signing in to your account at API Assurance now asks for a passkey after the password.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your account",
    text: "Signing in to your account at API Assurance now takes this passkey after the password.",
  },
  passkeyRemoved: {
    subject: "A passkey was removed from your account",
    text: "Signing in to your account at API Assurance no longer takes this passkey.",
  },
  recovered: {
    subject: "A recovery code was used",
    text: "Someone signed in to your account at API Assurance with the password and a recovery code. That code can't be used again.",
  },
  reset: {
    subject: "Your second factor was switched off by an administrator",
    text: "An administrator of your organization switched off the second factor of your account at API Assurance, and signed you out everywhere. Log in with the password only, and set up a new one on your profile.",
  },
};

/** Notifies the owner, in case someone else made the change. */
export function createSecondFactorEmail(to: string, what: keyof typeof news, portalOrigin: string): OutgoingEmail {
  const { subject, text } = news[what];
  return {
    to: { address: to },
    subject,
    blocks: [
      { kind: "paragraph", text },
      {
        kind: "note",
        text: `If this wasn't you, choose a new password now: ${portalOrigin}/password-reset`,
      },
    ],
  };
}
