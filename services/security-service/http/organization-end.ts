import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { deleteOrganization, findOperatingOrganization } from "../store/organization-end.ts";
import { findOrganization, lockOrganization } from "../store/organizations.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { requireInPerson, requirePresentAdministrator } from "./present-administrator.ts";

/**
 * Creates the handler that deletes the caller's organization; every other service receives an event and deletes its
 * data.
 */
export function createOrganizationEndHandlers(parts: {
  db: SecurityDatabase;
  publisher: Publisher<SecurityEvent>;
  ended: EndedOrganizations;
}): Pick<Handlers<typeof securityServiceContract>, "deleteOrganization"> {
  const { db, publisher, ended } = parts;
  return {
    async deleteOrganization({ caller, body, record, log }) {
      requireInPerson(caller);
      const { organizationId } = caller;
      await db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        await requirePresentAdministrator(transaction, caller);
        const organization = await findOrganization(transaction, organizationId);
        if (!organization) throw notFound("organization");
        if (organization.operates)
          throw new Problem(
            "conflict",
            "This organization operates the installation, which would have no operator left.",
          );
        if (body.name.trim() !== organization.name) {
          const message = `Enter the organization's name exactly as shown here: ${organization.name}`;
          throw new Problem("invalid_input", undefined, { errors: [{ path: "name", message }] });
        }
        await deleteOrganization(transaction, organizationId);
        // Its own audit records are deleted with it: its existence and its deletion are recorded in the operator's
        // organization.
        const recordedWith = await findOperatingOrganization(transaction);
        const before = { name: organization.name, kind: organization.kind };
        if (recordedWith) await record(transaction, { id: organizationId, organizationId: recordedWith, before });
        else await record(transaction);
        await ended.end(transaction, organizationId);
        await publisher.publish(transaction, [
          { type: "organization.deleted", organizationId, resource: `organization/${organizationId}`, payload: {} },
        ]);
      });
      log.info({ organizationId, deletedBy: caller.userId }, "organization deleted");
      return undefined;
    },
  };
}
