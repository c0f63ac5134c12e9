import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import { organizationRoles } from "#contracts/security-service/invitations.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import { inOrder } from "../domain/member.ts";
import { getScopes } from "../domain/roles.ts";
import { findMember, updateRoles } from "../store/members.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { changeMember, requireMember } from "./member-change.ts";

type RoleHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "listUserRoles" | "addUserRoles" | "removeUserRoles" | "listRoles"
>;
type RoleCall = Call<(typeof securityServiceContract)["addUserRoles"]>;

/** Creates the handlers of an organization's users' roles. */
export function createUserRoleHandlers(parts: { db: SecurityDatabase; publisher: Publisher<SecurityEvent> }) {
  const { db, publisher } = parts;

  async function change(
    { caller, params, log, record }: RoleCall,
    rolesAfter: (held: string[]) => string[],
  ): Promise<{ roles: string[] }> {
    const { userId } = params;
    const roles = await changeMember(
      db,
      { caller, userId },
      (before) => ({ roles: inOrder(rolesAfter(before.roles)), disabled: before.disabledAt !== null }),
      async (transaction, before, after) => {
        await updateRoles(transaction, caller.organizationId, userId, after.roles);
        await record(transaction, { id: userId, before: { roles: before.roles }, after: { roles: after.roles } });
        const { organizationId } = caller;
        const payload = { userId, roles: after.roles };
        await publisher.publish(transaction, [
          { type: "user.roles-changed", organizationId, resource: `user/${userId}`, payload },
        ]);
        return after.roles;
      },
    );
    log.info({ userId, roles, changedBy: caller.userId }, "roles changed");
    return { roles };
  }

  const handlers: RoleHandlers = {
    async listUserRoles({ caller, params }) {
      return { roles: (await requireMember(findMember(db, caller.organizationId, params.userId))).roles };
    },

    addUserRoles: (call) => change(call, (held) => [...held, ...call.body.roles]),

    removeUserRoles: (call) =>
      change(call, (held) => held.filter((role) => !call.body.roles.some((taken) => taken === role))),

    async listRoles() {
      return { items: organizationRoles.map((name) => ({ name, scopes: getScopes([name]) })), nextCursor: null };
    },
  };
  return handlers;
}
