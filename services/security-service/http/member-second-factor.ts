import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Mail } from "../../kit/mail/mail.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { createSecondFactorEmail } from "../emails/second-factor.ts";
import { findMember } from "../store/members.ts";
import { deletePasskeys, listPasskeys } from "../store/passkeys.ts";
import { deleteFactor, endChallengesOfUser } from "../store/second-factors.ts";
import { endSessionsOfUser } from "../store/sessions.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { changeMember, requireMember } from "./member-change.ts";
import { toPasskey } from "./passkeys.ts";
import { requireInPerson } from "./present-administrator.ts";

/**
 * Creates the handlers by which an administrator lists members' passkeys and helps members who have lost both phone and
 * recovery codes.
 */
export function createMemberSecondFactorHandlers(parts: {
  db: SecurityDatabase;
  clock: Clock;
  mail: Mail;
  portalOrigin(): string;
}): Pick<Handlers<typeof securityServiceContract>, "listUserPasskeys" | "resetSecondFactor"> {
  const { db, clock, mail, portalOrigin } = parts;
  return {
    async listUserPasskeys({ caller, params }) {
      const { userId } = await requireMember(findMember(db, caller.organizationId, params.userId));
      return { items: (await listPasskeys(db, userId)).map(toPasskey) };
    },

    async resetSecondFactor({ caller, params, log, record }) {
      requireInPerson(caller);
      const { userId } = params;
      // Removing one's own takes the profile's password: an unattended signed-in browser must not be enough.
      if (caller.userId === userId) {
        throw new Problem("conflict", "You switch off your own second factor on your profile.");
      }
      await changeMember(
        db,
        { caller, userId },
        ({ roles, disabledAt }) => ({ roles, disabled: disabledAt !== null }),
        async (transaction, { email, hasSecondFactor }) => {
          if (!hasSecondFactor) throw new Problem("conflict", "This account has no second factor.");
          await deletePasskeys(transaction, userId);
          await deleteFactor(transaction, userId);
          await endSessionsOfUser(transaction, userId, "ended_by_administrator", clock.now());
          await endChallengesOfUser(transaction, userId);
          await record(transaction, { id: userId, before: { enabled: true }, after: { enabled: false } });
          if (email && mail.canSend) {
            await mail.send(transaction, caller.organizationId, [
              createSecondFactorEmail(email, "reset", portalOrigin()),
            ]);
          }
        },
      );
      log.info({ userId, changedBy: caller.userId }, "second factor taken away by an administrator");
      return undefined;
    },
  };
}
