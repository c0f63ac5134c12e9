import type { auditContract } from "#contracts/kit/audit-records.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { Clock } from "../clock/clock.ts";
import type { Database } from "../database/database.ts";
import { pageFrom, readIdCursor } from "../database/keyset.ts";
import { acrossOrganizations } from "../database/organization-scope.ts";
import type { Handlers } from "../service/service.ts";
import { type AuditChainTables, checkAuditChain } from "./audit-chain.ts";
import { auditRetentionDays } from "./audit-retention.ts";
import { listAuditRecords } from "./audit-search.ts";

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Creates the handlers that read one service's audit records. */
export function createAuditHandlers(parts: {
  database: Database;
  schema: string;
  clock: Clock;
}): Handlers<typeof auditContract> {
  const { database, schema, clock } = parts;
  const db = database.inSchema<AuditChainTables>(schema);
  return {
    async listAuditRecords({ query: { cursor, beforeId, since, until, everywhere, ...query }, caller }) {
      if (everywhere && !caller.scopes.includes("system:manage")) {
        throw new Problem("forbidden", "Only operators see what was changed in other organizations.");
      }
      const search = {
        ...query,
        since: toDate(since),
        until: toDate(until),
        beforeId: cursor === undefined ? beforeId : readIdCursor(cursor),
      };
      const { organizationId } = caller;
      const rows = everywhere
        ? await acrossOrganizations(() => listAuditRecords(db, { ...search, organizationId: undefined }))
        : await listAuditRecords(db, { ...search, organizationId });
      return pageFrom(
        rows,
        query.limit,
        ({ id }) => [id],
        (row) => ({
          id: row.id,
          organizationId: row.organization_id,
          recordedAt: row.recorded_at.toISOString(),
          actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
          clientAddress: row.client_address,
          requestId: row.request_id,
          operation: row.operation,
          resource: { kind: row.resource_kind, id: row.resource_id },
          before: row.before ?? null,
          after: row.after ?? null,
        }),
      );
    },
    async checkAuditChain({ caller: { organizationId } }) {
      // Older records may be missing; retention runs several times a day.
      const retainedSince = new Date(clock.now().getTime() - auditRetentionDays * 86_400_000);
      const { breaks, ...chain } = await checkAuditChain(db, { schema, organizationId, retainedSince });
      return {
        ...chain,
        breaks: breaks.map((one) => ({ ...one, recordedAt: one.recordedAt?.toISOString() ?? null })),
      };
    },
  };
}
