import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { renderEmail } from "../../kit/mail/email.ts";
import type { Mailbox } from "../../kit/mail/mailbox.ts";
import type { Delivery, MailServer } from "../../kit/mail/smtp.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { PortalDatabase } from "../store/tables.ts";

export interface MailParts {
  db: PortalDatabase;
  delivery: Delivery | undefined;
  mailbox: Mailbox | undefined;
  mailServer?: MailServer;
  portalOrigin(): string;
}

/** Creates the handlers of the operator's view of mail and its delivery. */
export function createMailHandlers({
  db,
  delivery,
  mailbox,
  mailServer,
  portalOrigin,
}: MailParts): Pick<Handlers<typeof portalServiceContract>, "getMail" | "sendTestLetter"> {
  return {
    getMail() {
      const way = mailbox ? "mailbox" : delivery ? "server" : "none";
      return { way, server: mailServer?.address ?? null, sender: mailServer?.sender ?? null };
    },

    async sendTestLetter({ body: { address }, caller, record }) {
      if (!delivery) {
        throw new Problem("service_unavailable", "This installation can't send email: set MAIL_URL and MAIL_FROM.");
      }
      const id = uuidv7();
      const words = await delivery.deliver(id, createTestEmail(address, caller.username, portalOrigin())).then(
        () => null,
        (error: Error) => error.message,
      );
      await record(db, { id, after: { address, isTaken: words === null } });
      return { isTaken: words === null, words };
    },
  };
}

function createTestEmail(address: string, username: string, origin: string) {
  return renderEmail({
    to: { address },
    subject: "Test email from API Assurance",
    blocks: [
      { kind: "paragraph", text: `Emails from ${origin} arrive at this address.` },
      { kind: "note", text: `${username} sent this from the system configuration. There is nothing to do.` },
    ],
  });
}
