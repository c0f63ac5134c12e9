import { notFound } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { securityServiceContract } from "../contract/contract.ts";
import { findOrganization, listOrganizationNames, listOrganizationsByWords } from "../store/organizations.ts";
import type { SecurityDatabase } from "../store/tables.ts";

const mostFound = 200;

export function createOrganizationHandlers(db: SecurityDatabase) {
  const handlers: Pick<Handlers<typeof securityServiceContract>, "getOrganization" | "findOrganizations"> = {
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
        operates: row.operates,
        createdAt: row.created_at.toISOString(),
      };
    },

    // Of all organizations: whose list this is for, the asking service has made sure of.
    async findOrganizations({ query }) {
      const rows =
        query.words === undefined
          ? await listOrganizationNames(db, query.ids ?? [])
          : await listOrganizationsByWords(db, query.words, mostFound + 1);
      return { items: rows.slice(0, mostFound), hasMore: rows.length > mostFound };
    },
  };
  return handlers;
}
