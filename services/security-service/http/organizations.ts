import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import {
  findOrganization,
  listOrganizationNames,
  listOrganizationsByWords,
  lockOrganization,
  renameOrganization,
  setSecondFactorRequired,
} from "../store/organizations.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { requireInPerson, requirePresentAdministrator } from "./present-administrator.ts";

const maxFound = 200;

type Handled = "getOrganization" | "findOrganizations" | "changeOrganization" | "requireSecondFactors";

function toOrganization(row: NonNullable<Awaited<ReturnType<typeof findOrganization>>>) {
  const { id, name, kind, service_id: serviceId, operates, requires_second_factor, created_at: createdAt } = row;
  const requiresSecondFactor = requires_second_factor;
  return { id, name, kind, serviceId, operates, requiresSecondFactor, createdAt: createdAt.toISOString() };
}

export function createOrganizationHandlers(db: SecurityDatabase) {
  const handlers: Pick<Handlers<typeof securityServiceContract>, Handled> = {
    async getOrganization({ caller, params }) {
      // A service acts for one organization at a time and sees no other.
      const mine = params.organizationId === caller.organizationId;
      const row = mine ? await findOrganization(db, params.organizationId) : undefined;
      if (!row) throw notFound("organization");
      return toOrganization(row);
    },

    // Of all organizations: the calling service has checked that its caller may see this list.
    async findOrganizations({ query }) {
      const rows =
        query.words === undefined
          ? await listOrganizationNames(db, query.ids ?? [])
          : await listOrganizationsByWords(db, query.words, maxFound + 1);
      return { items: rows.slice(0, maxFound), hasMore: rows.length > maxFound };
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
        return toOrganization(row);
      });
    },

    async requireSecondFactors({ caller, body: { required }, log, record }) {
      requireInPerson(caller);
      const { organizationId: id, userId } = caller;
      const changed = await db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, id);
        const requesting = await requirePresentAdministrator(transaction, caller);
        const before = await findOrganization(transaction, id);
        if (!before) throw notFound("organization");
        if (required && !requesting?.hasSecondFactor) {
          throw new Problem("conflict", "Set up a second factor of your own first, on your profile.");
        }
        await setSecondFactorRequired(transaction, id, required);
        const after = { requiresSecondFactor: required };
        await record(transaction, { id, before: { requiresSecondFactor: before.requires_second_factor }, after });
        return toOrganization({ ...before, requires_second_factor: required });
      });
      log.info({ organizationId: id, required, changedBy: userId }, "required second factors changed");
      return changed;
    },
  };
  return handlers;
}
