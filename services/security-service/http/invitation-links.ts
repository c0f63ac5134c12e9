import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Authenticate } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { isOpen } from "../domain/invitation.ts";
import type { AdmitForm } from "../human-check/admit-form.ts";
import { insertEvents } from "../store/invitation-events.ts";
import { acceptInvitation, findInvitationOfLink } from "../store/invitations.ts";
import { readClient } from "./client.ts";
import { type CodeParts, mailCode, requireRightCode } from "./mailed-codes.ts";
import { linkEnded, requireLink } from "./mailed-links.ts";
import type { MemberQuota } from "./member-quota.ts";
import { type AccountParts, createMember } from "./new-accounts.ts";

export interface InvitationLinkParts extends CodeParts, AccountParts {
  clock: Clock;
  authenticate: Authenticate;
  admitForm: AdmitForm;
  quota: MemberQuota;
}

type InvitationLinkHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "getInvitationOffer" | "sendInvitationCode" | "createAccountByInvitation"
>;

/**
 * Creates the handlers for invited users. The account is always created for the invited address, never for that of the
 * link's holder.
 */
export function createInvitationLinkHandlers(parts: InvitationLinkParts) {
  const { db, clock, authenticate, admitForm, quota } = parts;

  async function requireOffer(token: string, now: Date) {
    const link = await requireLink(db, "invitation", token, now);
    const invitation = link.subjectId ? await findInvitationOfLink(db, link.subjectId) : undefined;
    if (!invitation || !isOpen({ status: invitation.status, expiresAt: invitation.expires_at }, now)) throw linkEnded();
    return invitation;
  }

  const handlers: InvitationLinkHandlers = {
    async getInvitationOffer({ params }) {
      const invitation = await requireOffer(params.token, clock.now());
      return {
        email: invitation.email,
        organizationName: invitation.organization_name,
        invitedBy: invitation.inviter_name,
        roles: invitation.roles,
        expiresAt: invitation.expires_at.toISOString(),
      };
    },

    async sendInvitationCode({ body, request }) {
      const { token, recaptchaToken } = body;
      const now = clock.now();
      await requireOffer(token, now);
      await admitForm({ purpose: "invitationCode", client: await readClient(request, authenticate), recaptchaToken });
      return await mailCode(parts, "invitation", token, now);
    },

    async createAccountByInvitation({ body, requestId, log, record }) {
      const now = clock.now();
      const invitation = await requireOffer(body.token, now);
      const link = await requireRightCode(parts, "invitation", body, now);
      await quota.prepare(invitation.organization_id, requestId);
      const { id, username, organizationId } = await createMember(
        parts,
        { link, account: body, now, record },
        async (db) => {
          // Cancelled or replaced since it was read.
          if (!(await acceptInvitation(db, invitation.id, now))) throw linkEnded();
          const { organization_id: organizationId, roles } = invitation;
          await quota.requireQuota(db, organizationId, now);
          await insertEvents(db, [
            { organizationId, invitationId: invitation.id, kind: "accepted", at: now, by: body.fullName },
          ]);
          return { organizationId, roles };
        },
      );
      log.info({ userId: id, organizationId, invitationId: invitation.id }, "joined by invitation");
      return { id, username, serviceId: null };
    },
  };
  return handlers;
}
