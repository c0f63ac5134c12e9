import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { judgeInviting, maxEmailsPerDay, statusAt } from "../domain/invitation.ts";
import { linkMilliseconds } from "../domain/mailed-link.ts";
import { createInvitationEmail } from "../emails/invitation.ts";
import { type InvitationEvent, insertEvents, listRecentEmails } from "../store/invitation-events.ts";
import {
  findInvitation,
  type InvitationRow,
  insertInvitations,
  listMemberEmails,
  openInvitationConstraint,
  renewInvitation,
  replaceOpenInvitations,
} from "../store/invitations.ts";
import { endLinks, insertLinks } from "../store/mailed-links.ts";
import { lockOrganization } from "../store/organizations.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";
import { judgeAddresses, memberMessage, tiredMessage } from "./judged-addresses.ts";
import { createLink } from "./mailed-links.ts";
import type { MemberQuota } from "./member-quota.ts";
import { requirePresentAdministrator } from "./present-administrator.ts";
import { toInvitation } from "./to-invitation.ts";

export interface InvitingParts {
  db: SecurityDatabase;
  clock: Clock;
  mail: Mail;
  portalOrigin(): string;
  quota: MemberQuota;
}

type InvitingHandlers = Pick<Handlers<typeof securityServiceContract>, "invite" | "resendInvitation">;

/** An invitation is valid as long as its newest link. */
const getEnd = (now: Date) => new Date(now.getTime() + linkMilliseconds.invitation);

/** Creates the handlers that send invitations. */
export function createInvitingHandlers({ db, clock, mail, portalOrigin, quota }: InvitingParts) {
  /**
   * Changes of an organization's users and invitations run one at a time, and their caller is an administrator at that
   * moment.
   */
  async function beginChange(transaction: SecurityTransaction, caller: Identity) {
    const organizationName = await lockOrganization(transaction, caller.organizationId);
    if (organizationName === undefined) throw notFound("organization");
    const inviter = await requirePresentAdministrator(transaction, caller);
    return { organizationName, inviter, invitedBy: inviter?.fullName ?? organizationName };
  }

  async function judgeEmails(transaction: SecurityTransaction, organizationId: string, keys: string[], now: Date) {
    return judgeInviting(await listRecentEmails(transaction, organizationId, maxEmailsPerDay), keys, now);
  }

  function requireEmailsLeft(left: number, needed: number): void {
    if (needed <= left) return;
    throw new Problem(
      "too_many_requests",
      `An organization sends ${maxEmailsPerDay} invitations within a day, and ${left === 0 ? "none is" : `${left} are`} left today.`,
      { retryAfterSeconds: 60 * 60 },
    );
  }

  /** Writes the emails, each with its own link, and records why they were sent. */
  async function send(
    transaction: SecurityTransaction,
    rows: Pick<InvitationRow, "id" | "email">[],
    words: { organizationId: string; organizationName: string; invitedBy: string; kind: InvitationEvent["kind"] },
    now: Date,
  ): Promise<void> {
    const { organizationId, organizationName, invitedBy, kind } = words;
    const made = rows.map(({ id, email }) => {
      const { token, link } = createLink("invitation", { subjectId: id, email, now });
      const href = `${portalOrigin()}/register?token=${token}`;
      return { link, email: createInvitationEmail({ id, to: email, organizationName, invitedBy, href }) };
    });
    await insertLinks(
      transaction,
      made.map(({ link }) => link),
    );
    await insertEvents(
      transaction,
      rows.map(({ id }) => ({ organizationId, invitationId: id, kind, at: now, by: invitedBy })),
    );
    await mail.send(
      transaction,
      organizationId,
      made.map(({ email }) => email),
    );
  }

  const handlers: InvitingHandlers = {
    async invite({ body, caller, requestId, log, record }) {
      const { organizationId } = caller;
      await quota.prepare(organizationId, requestId);
      const now = clock.now();
      const roles = [...new Set(body.roles)];
      const result = await db.transaction().execute(async (transaction) => {
        const { organizationName, inviter, invitedBy } = await beginChange(transaction, caller);
        const typed = judgeAddresses(body.emails);
        const keys = [...typed.addresses.keys()];
        const members = await listMemberEmails(transaction, organizationId, keys);
        const { left, tiredAddresses } = await judgeEmails(transaction, organizationId, keys, now);
        const { addresses, refused } = judgeAddresses(body.emails, {
          own: inviter?.email,
          members,
          tired: new Set(tiredAddresses),
        });
        if (addresses.size === 0) {
          const errors = refused.map(({ index, message }) => ({ path: `emails[${index}]`, message }));
          throw new Problem("invalid_input", undefined, { errors });
        }
        requireEmailsLeft(left, addresses.size);
        const replaced = await replaceOpenInvitations(transaction, organizationId, [...addresses.keys()], now);
        await quota.require(transaction, { organizationId, wanted: addresses.size, now });
        const rows = [...addresses].map(([key, email]): InvitationRow => {
          const id = uuidv7();
          return {
            ...{ id, organization_id: organizationId, email, email_key: key, roles, status: "PENDING" },
            ...{ invited_by: inviter?.userId ?? null, created_at: now, expires_at: getEnd(now) },
            ...{ mail_failure: null, mail_given_up: false },
          };
        });
        await insertInvitations(transaction, rows);
        await insertEvents(
          transaction,
          replaced.map(({ id }) => ({ organizationId, invitationId: id, kind: "replaced", at: now, by: invitedBy })),
        );
        await send(transaction, rows, { organizationId, organizationName, invitedBy, kind: "invited" }, now);
        await record(transaction, ...rows.map(({ id, email }) => ({ id, after: { email, roles } })));
        const replacedOf = new Map(replaced.map((row) => [row.email_key, row.id]));
        const items = rows.map((row) => ({
          ...toInvitation({ ...row, inviter_name: invitedBy }, now),
          replaces: replacedOf.get(row.email_key) ?? null,
        }));
        return { items, refused };
      });
      const { items, refused } = result;
      log.info(
        { organizationId, userId: caller.userId, count: items.length, refused: refused.length, roles },
        "invited",
      );
      return result;
    },

    async resendInvitation({ caller, params, requestId, log, record }) {
      const { organizationId } = caller;
      await quota.prepare(organizationId, requestId);
      const { invitationId } = params;
      const now = clock.now();
      const row = await db
        .transaction()
        .execute(async (transaction) => {
          const { organizationName, invitedBy } = await beginChange(transaction, caller);
          const stored = await findInvitation(transaction, organizationId, invitationId);
          if (!stored) throw notFound("invitation");
          const status = statusAt({ status: stored.status, expiresAt: stored.expires_at }, now);
          if (status === "ACCEPTED" || status === "CANCELLED") {
            throw new Problem(
              "conflict",
              `This invitation is ${status.toLowerCase()} already. Invite the address again.`,
            );
          }
          const keys = [stored.email_key];
          const members = await listMemberEmails(transaction, organizationId, keys);
          if (members.size > 0) throw new Problem("conflict", memberMessage);
          const { left, tiredAddresses } = await judgeEmails(transaction, organizationId, keys, now);
          if (tiredAddresses.length > 0) throw new Problem("conflict", tiredMessage);
          requireEmailsLeft(left, 1);
          // An expired invitation no longer counts towards the plan.
          if (status === "EXPIRED") await quota.require(transaction, { organizationId, wanted: 1, now });
          await endLinks(transaction, "invitation", invitationId, now);
          const renewed = { ...stored, ...(await renewInvitation(transaction, stored, getEnd(now))) };
          await send(transaction, [stored], { organizationId, organizationName, invitedBy, kind: "resent" }, now);
          await record(transaction, {
            id: invitationId,
            before: { status, expiresAt: stored.expires_at },
            after: { status: "PENDING", expiresAt: renewed.expires_at },
          });
          return renewed;
        })
        .catch((error) => {
          if (!isUniqueViolation(error, openInvitationConstraint)) throw error;
          throw new Problem("conflict", "This address has a newer invitation that is open.");
        });
      log.info({ userId: caller.userId, invitationId }, "invitation sent again");
      return toInvitation(row, now);
    },
  };
  return handlers;
}
