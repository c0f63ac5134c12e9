import type { OutgoingEmail } from "../../kit/mail/mail.ts";

export interface LostProof {
  domain: string;
  /** Why the last check did not find it. */
  failure: string;
  /** URL of the domain's page. */
  href: string;
}

/** Notifies an administrator that the daily checks no longer find a domain's proof. */
export function createDomainUnverifiedEmail(to: string, { domain, failure, href }: LostProof): OutgoingEmail {
  return {
    to: { address: to },
    subject: "A domain is no longer verified",
    blocks: [
      {
        kind: "paragraph",
        text: `The verification record of the domain ${domain} was not found anymore, so the domain is no longer verified at API Assurance. The last daily check said: ${failure}`,
      },
      {
        kind: "paragraph",
        text: "Until it is verified again, no one with an address at this domain can log in with single sign-on, and where only verified domains may be tested, its tests are blocked.",
      },
      { kind: "button", name: "See what the proof is", href },
      {
        kind: "note",
        text: "Restore the verification record and check again on that page: the domain is then verified immediately. If the domain is no longer yours, delete it there.",
      },
    ],
  };
}
