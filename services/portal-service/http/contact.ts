import { Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Authenticate, IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Mail, OutgoingEmail } from "../../kit/mail/mail.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { readVisitorAddress } from "../../kit/service/visitor-address.ts";
import type { PortalDatabase } from "../store/tables.ts";

export interface ContactParts {
  db: PortalDatabase;
  mail: Mail;
  authenticate: Authenticate;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
  /** The operators' address for visitors. */
  contactAddress: string;
}

export function createContactHandlers(
  parts: ContactParts,
): Pick<Handlers<typeof portalServiceContract>, "sendContactMessage"> {
  const { db, mail, contactAddress } = parts;
  return {
    async sendContactMessage({ body, request, requestId, log }) {
      const client = parts.securityService({ token: await parts.serviceToken(noOrganization), requestId });
      const clientAddress = await readVisitorAddress(request, parts.authenticate);
      const admission = await client.admitVisitor({
        body: { purpose: "contact", clientAddress, recaptchaToken: body.recaptchaToken },
      });
      if (!admission.ok) {
        const { status, problem, retryAfterSeconds } = admission;
        if (status === 422 || status === 429) {
          throw new Problem(problem.code, problem.detail, { errors: problem.errors, retryAfterSeconds });
        }
        log.error({ status, code: problem.code }, "security-service admitted no one");
        throw new Problem("service_unavailable");
      }

      const { name, email, subject, message } = body;
      const letter: OutgoingEmail = {
        to: { address: contactAddress },
        replyTo: { name, address: email },
        subject: `Contact: ${subject}`,
        blocks: [
          { kind: "paragraph", text: `${name} (${email}) wrote through the contact page:` },
          { kind: "quote", text: message },
          { kind: "note", text: "Reply to this email to respond. The address was not verified." },
        ],
      };
      await db.transaction().execute((transaction) => mail.send(transaction, null, [letter]));
      return { email };
    },
  };
}
