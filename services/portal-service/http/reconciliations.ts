import { z } from "zod";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { difference } from "#contracts/portal-service/differences.ts";
import type { Reconciliation } from "#contracts/portal-service/reconciliations.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readIdCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import {
  beginReconciliation,
  findReconciliation,
  listReconciledDifferences,
  listReconciliations,
  type ReconciliationRow,
} from "../store/reconciliations.ts";
import type { PortalDatabase } from "../store/tables.ts";
import type { OrganizationNames } from "./organization-names.ts";

type ReconciliationHandlers = Pick<
  Handlers<typeof portalServiceContract>,
  "listReconciliations" | "createReconciliation" | "getReconciliation" | "listReconciledDifferences"
>;

const differences = z.array(difference).catch([]);

const show = (row: ReconciliationRow): Reconciliation => ({
  id: row.id,
  beganAt: row.began_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  begunBy: row.begun_by,
  asked: row.asked,
  differing: row.differing,
  failed: row.failed,
});

/**
 * Creates the handlers of reconciling all subscriptions with the provider.
 * @param sells whether a provider is configured
 */
export function createReconciliationHandlers(parts: {
  db: PortalDatabase;
  clock: Clock;
  sells: boolean;
  names: OrganizationNames;
}): ReconciliationHandlers {
  const { db, clock, sells, names } = parts;

  async function requireOne(id: string): Promise<ReconciliationRow> {
    const row = await findReconciliation(db, id);
    if (!row) throw notFound("reconciliation");
    return row;
  }

  const getCursor = ({ cursor }: { cursor?: string }) => (cursor === undefined ? undefined : readIdCursor(cursor));

  return {
    async listReconciliations({ query }) {
      const rows = await listReconciliations(db, { before: getCursor(query), limit: query.limit });
      return pageFrom(rows, query.limit, (row) => [row.id], show);
    },

    async createReconciliation({ caller, record }) {
      if (!sells) throw new Problem("service_unavailable", "No payment provider is configured on this installation.");
      const id = await db.transaction().execute(async (transaction) => {
        const begun = await beginReconciliation(transaction, clock.now(), caller.userId);
        if (begun.isNew) await record(transaction, { id: begun.id, after: { begun: true } });
        else await record(transaction);
        return begun.id;
      });
      return show(await requireOne(id));
    },

    getReconciliation: async ({ params }) => show(await requireOne(params.reconciliationId)),

    async listReconciledDifferences(call) {
      const { params, query } = call;
      const { id } = await requireOne(params.reconciliationId);
      const rows = await listReconciledDifferences(db, id, { after: getCursor(query), limit: query.limit });
      const displayed = rows.slice(0, query.limit).map(({ organization_id }) => organization_id);
      const organizations = await names.getNames(call, displayed);
      return pageFrom(
        rows,
        query.limit,
        (row) => [row.subscription_id],
        (row) => ({
          subscriptionId: row.subscription_id,
          organization: { id: row.organization_id, name: organizations.get(row.organization_id) ?? null },
          at: row.at.toISOString(),
          differences: differences.parse(row.differences),
          failure: row.failure,
        }),
      );
    },
  };
}
