import { notFound } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { securityServiceContract } from "../contract/contract.ts";
import { findOrganization } from "../store/organizations.ts";
import type { SecurityDatabase } from "../store/tables.ts";

export function createOrganizationHandlers(db: SecurityDatabase) {
  const handlers: Pick<Handlers<typeof securityServiceContract>, "getOrganization"> = {
    async getOrganization({ caller, params }) {
      // A service acts for one organization at a time, and sees no other one.
      const mine = params.organizationId === caller.organizationId;
      const row = mine ? await findOrganization(db, params.organizationId) : undefined;
      if (!row) throw notFound("organization");
      return {
        id: row.id,
        name: row.name,
        kind: row.kind,
        serviceId: row.service_id,
        createdAt: row.created_at.toISOString(),
      };
    },
  };
  return handlers;
}
