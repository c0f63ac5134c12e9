import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Tracing } from "#contracts/security-service/tracing.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findDomainError } from "../domain/domain-binding.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { findTracing, storeTracing, type TracingRow } from "../store/tracing.ts";

const defaults: Tracing = { verifiedDomains: true, hosts: [], linkTemplate: "", updatedAt: null };

function toTracing(row: TracingRow | undefined): Tracing {
  if (!row) return defaults;
  const { verified_domains: verifiedDomains, hosts, link_template: linkTemplate, updated_at } = row;
  return { verifiedDomains, hosts, linkTemplate, updatedAt: updated_at.toISOString() };
}

/** Creates the handlers of the organization's settings for trace contexts. */
export function createTracingHandlers({
  db,
  clock,
}: {
  db: SecurityDatabase;
  clock: Clock;
}): Pick<Handlers<typeof securityServiceContract>, "getTracing" | "setTracing"> {
  return {
    async getTracing({ caller }) {
      return toTracing(await findTracing(db, caller.organizationId));
    },

    async setTracing({ caller: { organizationId }, body, record }) {
      const errors = body.hosts.flatMap((host, index) => {
        const message = findDomainError(host);
        return message ? [{ path: `hosts[${index}]`, message }] : [];
      });
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      return await db.transaction().execute(async (transaction) => {
        const before = toTracing(await findTracing(transaction, organizationId));
        const row = {
          organization_id: organizationId,
          verified_domains: body.verifiedDomains,
          hosts: [...new Set(body.hosts)],
          link_template: body.linkTemplate,
          updated_at: clock.now(),
        };
        await storeTracing(transaction, row);
        const after = toTracing(row);
        await record(transaction, { id: organizationId, before, after });
        return after;
      });
    },
  };
}
