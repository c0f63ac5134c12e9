import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import { type FieldError, notFound, Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { securityServiceContract } from "../contract/contract.ts";
import type { Invitation } from "../contract/invitations.ts";
import { distinctAddresses, emailKey } from "../domain/email.ts";
import { judgeInviting, mostInvitationsADay, statusAt } from "../domain/invitation.ts";
import { invitationLetter } from "../letters/invitation.ts";
import {
  cancelInvitation,
  countInvitations,
  findInvitation,
  type InvitationRow,
  insertInvitations,
  listInvitations,
  listMemberEmails,
  listRecentInvitations,
  replaceOpenInvitations,
} from "../store/invitations.ts";
import { insertLinks } from "../store/mailed-links.ts";
import { lockOrganization } from "../store/organizations.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";
import { createLink } from "./mailed-links.ts";
import { requirePresentAdministrator } from "./present-administrator.ts";

export interface InvitationParts {
  db: SecurityDatabase;
  clock: Clock;
  mail: Mail;
  portalOrigin(): string;
}

type InvitationHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "invite" | "countInvitations" | "listInvitations" | "getInvitation" | "cancelInvitation"
>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function shown(row: InvitationRow & { inviter_name: string }, now: Date): Invitation {
  return {
    id: row.id,
    email: row.email,
    roles: row.roles,
    status: statusAt({ status: row.status, expiresAt: row.expires_at }, now),
    invitedBy: row.inviter_name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

/** An empty filter is none. */
const wanted = <Status>(statuses: Status[] | undefined) => (statuses?.length ? statuses : undefined);

function requireInvitable(emails: string[], isRefused: (key: string) => boolean, message: string): void {
  const errors = emails.flatMap((email, index): FieldError[] =>
    isRefused(emailKey(email)) ? [{ path: `emails[${index}]`, message }] : [],
  );
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** Makes the handlers with which administrators invite; those of the invited are in `invitation-links.ts`. */
export function createInvitationHandlers({ db, clock, mail, portalOrigin }: InvitationParts) {
  async function requireNotTooMany(
    transaction: SecurityTransaction,
    { organizationId }: Identity,
    emails: string[],
    keys: string[],
    now: Date,
  ): Promise<void> {
    const recent = await listRecentInvitations(transaction, organizationId, mostInvitationsADay);
    const { tooManyToday, tiredAddresses } = judgeInviting(recent, keys, now);
    const tired = "This address was sent five invitations within a day. Wait until tomorrow.";
    requireInvitable(emails, (key) => tiredAddresses.includes(key), tired);
    if (!tooManyToday) return;
    throw new Problem(
      "too_many_requests",
      `An organization can send ${mostInvitationsADay} invitations within a day.`,
      { retryAfterSeconds: 60 * 60 },
    );
  }

  const handlers: InvitationHandlers = {
    async invite({ body, caller, log, record }) {
      const { organizationId } = caller;
      const { emails } = body;
      const now = clock.now();
      const addresses = distinctAddresses(emails);
      const keys = [...addresses.keys()];
      const roles = [...new Set(body.roles)];
      const items = await db.transaction().execute(async (transaction) => {
        const organizationName = await lockOrganization(transaction, organizationId);
        if (organizationName === undefined) throw notFound("organization");
        const inviter = await requirePresentAdministrator(transaction, caller);
        const members = await listMemberEmails(transaction, organizationId, keys);
        requireInvitable(emails, (key) => members.has(key), "This person is in your organization already.");
        await requireNotTooMany(transaction, caller, emails, keys, now);
        await replaceOpenInvitations(transaction, organizationId, keys, now);

        const invitedBy = inviter?.fullName ?? organizationName;
        const made = [...addresses].map(([key, email]) => {
          const id = uuidv7();
          const { token, link } = createLink("invitation", { subjectId: id, email, now });
          const row: InvitationRow = {
            id,
            organization_id: organizationId,
            email,
            email_key: key,
            roles,
            invited_by: inviter?.userId ?? null,
            status: "PENDING",
            created_at: now,
            expires_at: link.expiresAt,
          };
          const href = `${portalOrigin()}/register?token=${token}`;
          return { row, link, letter: invitationLetter({ id, to: email, organizationName, invitedBy, href }) };
        });
        await insertInvitations(
          transaction,
          made.map(({ row }) => row),
        );
        await insertLinks(
          transaction,
          made.map(({ link }) => link),
        );
        await mail.send(
          transaction,
          made.map(({ letter }) => letter),
        );
        await record(transaction, ...made.map(({ row }) => ({ id: row.id, after: { email: row.email, roles } })));
        return made.map(({ row }) => shown({ ...row, inviter_name: invitedBy }, now));
      });
      log.info({ organizationId, userId: caller.userId, count: items.length, roles }, "invited");
      return { items };
    },

    async countInvitations({ caller, query }) {
      return { count: await countInvitations(db, caller.organizationId, wanted(query.status), clock.now()) };
    },

    async listInvitations({ caller, query }) {
      const now = clock.now();
      const beforeId = query.cursor === undefined ? undefined : String(decodeCursor(query.cursor, 1)[0]);
      if (beforeId !== undefined && !uuid.test(beforeId)) throw new Problem("malformed_request");
      const filter = { statuses: wanted(query.status), query: query.query, limit: query.limit, beforeId };
      return pageFrom(
        await listInvitations(db, caller.organizationId, filter, now),
        query.limit,
        (row) => [row.id],
        (row) => shown(row, now),
      );
    },

    async getInvitation({ caller, params }) {
      const row = await findInvitation(db, caller.organizationId, params.invitationId);
      if (!row) throw notFound("invitation");
      return shown(row, clock.now());
    },

    async cancelInvitation({ caller, params, log, record }) {
      const { invitationId } = params;
      const now = clock.now();
      const cancelled = await db.transaction().execute(async (transaction) => {
        if (!(await cancelInvitation(transaction, caller.organizationId, invitationId, now))) return false;
        await record(transaction, { id: invitationId, before: { status: "PENDING" }, after: { status: "CANCELLED" } });
        return true;
      });
      if (!cancelled) {
        const row = await findInvitation(db, caller.organizationId, invitationId);
        if (!row) throw notFound("invitation");
        throw new Problem("conflict", `This invitation is ${shown(row, now).status.toLowerCase()} already.`);
      }
      log.info({ userId: caller.userId, invitationId }, "invitation cancelled");
      return undefined;
    },
  };
  return handlers;
}
