import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { statusAt } from "../domain/invitation.ts";
import { insertEvents, listEvents } from "../store/invitation-events.ts";
import { cancelInvitation, countInvitations, findInvitation, listInvitations } from "../store/invitations.ts";
import { endLinks } from "../store/mailed-links.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { requirePresentAdministrator } from "./present-administrator.ts";
import { toInvitation } from "./to-invitation.ts";

export interface InvitationParts {
  db: SecurityDatabase;
  clock: Clock;
}

type InvitationHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "countInvitations" | "listInvitations" | "getInvitation" | "cancelInvitation"
>;

/** An empty filter is no filter. */
const wanted = <Status>(statuses: Status[] | undefined) => (statuses?.length ? statuses : undefined);

/**
 * Creates the handlers that list and cancel invitations. Sending is in `inviting.ts`, accepting in
 * `invitation-links.ts`.
 */
export function createInvitationHandlers({ db, clock }: InvitationParts) {
  const handlers: InvitationHandlers = {
    async countInvitations({ caller, query }) {
      return { count: await countInvitations(db, caller.organizationId, wanted(query.status), clock.now()) };
    },

    async listInvitations({ caller, query }) {
      const now = clock.now();
      const beforeId = query.cursor === undefined ? undefined : readIdCursor(query.cursor);
      const filter = { statuses: wanted(query.status), query: query.query, limit: query.limit, beforeId };
      return pageFrom(
        await listInvitations(db, caller.organizationId, filter, now),
        query.limit,
        (row) => [row.id],
        (row) => toInvitation(row, now),
      );
    },

    async getInvitation({ caller, params }) {
      const row = await findInvitation(db, caller.organizationId, params.invitationId);
      if (!row) throw notFound("invitation");
      const events = await listEvents(db, caller.organizationId, params.invitationId);
      const history = events.map(({ at, kind, by_name: by, detail }) => ({ at: at.toISOString(), kind, by, detail }));
      return { ...toInvitation(row, clock.now()), history };
    },

    async cancelInvitation({ caller, params, log, record }) {
      const { invitationId } = params;
      const now = clock.now();
      const cancelled = await db.transaction().execute(async (transaction) => {
        const by = (await requirePresentAdministrator(transaction, caller))?.fullName;
        const { organizationId } = caller;
        if (!(await cancelInvitation(transaction, organizationId, invitationId, now))) return false;
        await endLinks(transaction, "invitation", invitationId, now);
        await insertEvents(transaction, [
          { organizationId, invitationId, kind: "cancelled", at: now, ...(by ? { by } : {}) },
        ]);
        await record(transaction, { id: invitationId, before: { status: "PENDING" }, after: { status: "CANCELLED" } });
        return true;
      });
      if (!cancelled) {
        const row = await findInvitation(db, caller.organizationId, invitationId);
        if (!row) throw notFound("invitation");
        throw new Problem(
          "conflict",
          `This invitation is ${statusAt({ status: row.status, expiresAt: row.expires_at }, now).toLowerCase()} already.`,
        );
      }
      log.info({ userId: caller.userId, invitationId }, "invitation cancelled");
      return undefined;
    },
  };
  return handlers;
}
