import type { PostedLetter } from "../../kit/mail/mail.ts";

const news = {
  on: {
    subject: "Your second factor was switched on",
    text: "Signing in to your account at API Assurance now asks for a code of your app after the password.",
  },
  off: {
    subject: "Your second factor was switched off",
    text: "Signing in to your account at API Assurance now asks for the password only.",
  },
  recovered: {
    subject: "A recovery code was used",
    text: "Somebody signed in to your account at API Assurance with the password and a recovery code. That code can't be used again.",
  },
};

/** Tells the owner, in case it was somebody else. */
export function secondFactorLetter(to: string, what: keyof typeof news, portalOrigin: string): PostedLetter {
  const { subject, text } = news[what];
  return {
    to: { address: to },
    subject,
    blocks: [
      { kind: "paragraph", text },
      {
        kind: "note",
        text: `It wasn't you? Then choose a new password at once: ${portalOrigin}/password-reset`,
      },
    ],
  };
}
