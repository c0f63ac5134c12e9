import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { SandboxEmailSummary } from "#contracts/portal-service/sandbox-mail.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Mailbox, StoredEmail } from "../../kit/mail/mailbox.ts";
import type { Handlers } from "../../kit/service/service.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function toHead({ id, to, replyTo, subject, sentAt }: StoredEmail): SandboxEmailSummary {
  return { id, to: to.address, replyTo: replyTo?.address ?? null, subject, sentAt: sentAt.toISOString() };
}

/** Creates the handlers of the local mailbox, if there is one. */
export function createSandboxMailHandlers(
  mailbox: Mailbox | undefined,
): Pick<Handlers<typeof portalServiceContract>, "listSandboxMail" | "getSandboxLetter"> {
  function requireMailbox(): Mailbox {
    if (!mailbox) throw notFound("mailbox");
    return mailbox;
  }

  return {
    async listSandboxMail({ query }) {
      const beforeId = query.cursor === undefined ? undefined : String(decodeCursor(query.cursor, 1)[0]);
      if (beforeId !== undefined && !uuid.test(beforeId)) throw new Problem("malformed_request");
      const emails = await requireMailbox().list({ limit: query.limit, beforeId });
      return pageFrom(emails, query.limit, ({ id }) => [id], toHead);
    },

    async getSandboxLetter({ params }) {
      const email = await requireMailbox().find(params.letterId);
      if (!email) throw notFound("letter");
      return { ...toHead(email), text: email.text, html: email.html };
    },
  };
}
