import { setTimeout as pause } from "node:timers/promises";
import type { RenderedEmail } from "../mail/email.ts";
import type { Delivery } from "../mail/smtp.ts";

export interface CollectedEmails extends Delivery {
  emails: (RenderedEmail & { id: string })[];
  /** Waits for the newest email to an address with a matching subject. */
  newest(address: string, subject?: RegExp): Promise<RenderedEmail>;
}

/** A delivery that stores every email, for tests of their causes. SMTP itself is tested in `kit/mail`. */
export function collectEmails(): CollectedEmails {
  const emails: CollectedEmails["emails"] = [];
  return {
    emails,
    async deliver(id, email) {
      emails.push({ id, ...email });
    },
    async newest(address, subject = /./) {
      for (;;) {
        const found = emails.findLast((email) => email.to.address === address && subject.test(email.subject));
        if (found) return found;
        await pause(20);
      }
    },
    close: async () => {},
  };
}
