import { notFound } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { securityServiceContract } from "../contract/contract.ts";
import {
  findOrganization,
  listOrganizationNames,
  listOrganizationsByWords,
  lockOrganization,
  renameOrganization,
} from "../store/organizations.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { requirePresentAdministrator } from "./present-administrator.ts";

const mostFound = 200;

type Handled = "getOrganization" | "findOrganizations" | "changeOrganization";

function shown(row: NonNullable<Awaited<ReturnType<typeof findOrganization>>>) {
  const { id, name, kind, service_id: serviceId, operates, created_at: createdAt } = row;
  return { id, name, kind, serviceId, operates, createdAt: createdAt.toISOString() };
}

export function createOrganizationHandlers(db: SecurityDatabase) {
  const handlers: Pick<Handlers<typeof securityServiceContract>, Handled> = {
    async getOrganization({ caller, params }) {
      // A service acts for one organization at a time, and sees no other one.
      const mine = params.organizationId === caller.organizationId;
      const row = mine ? await findOrganization(db, params.organizationId) : undefined;
      if (!row) throw notFound("organization");
      return shown(row);
    },

    // Of all organizations: whose list this is for, the asking service has made sure of.
    async findOrganizations({ query }) {
      const rows =
        query.words === undefined
          ? await listOrganizationNames(db, query.ids ?? [])
          : await listOrganizationsByWords(db, query.words, mostFound + 1);
      return { items: rows.slice(0, mostFound), hasMore: rows.length > mostFound };
    },

    async changeOrganization({ caller, body, record }) {
      const { organizationId: id } = caller;
      return await db.transaction().execute(async (transaction) => {
        const before = await lockOrganization(transaction, id);
        await requirePresentAdministrator(transaction, caller);
        await renameOrganization(transaction, id, body.name);
        const row = await findOrganization(transaction, id);
        if (!row) throw notFound("organization");
        await record(transaction, { id, before: { name: before }, after: { name: body.name } });
        return shown(row);
      });
    },
  };
  return handlers;
}
