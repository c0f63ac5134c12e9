import { decodeCursor, pageFrom } from "../../kit/database/keyset.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { portalServiceContract } from "../contract/contract.ts";
import { listPayments } from "../store/payments.ts";
import { planNames } from "../store/plans.ts";
import type { PortalDatabase } from "../store/tables.ts";

/** Ids of payments are the provider's. */
function readPaymentCursor(text: string): { moment: string; id: string } {
  const [moment, id] = decodeCursor(text, 2).map(String) as [string, string];
  if (Number.isNaN(Date.parse(moment))) throw new Problem("malformed_request", "The cursor is none of this list.");
  return { moment, id };
}

/** Makes the handler of what an organization paid, as the provider tells it. */
export function createPaymentHandlers(
  db: PortalDatabase,
): Pick<Handlers<typeof portalServiceContract>, "listPayments"> {
  return {
    async listPayments({ caller, query }) {
      const before = query.cursor === undefined ? undefined : readPaymentCursor(query.cursor);
      const rows = await listPayments(db, caller.organizationId, { before, limit: query.limit });
      const names = await planNames(db);
      return pageFrom(
        rows,
        query.limit,
        (row) => [row.paid_at.toISOString(), row.id],
        (row) => ({
          id: row.id,
          subscriptionId: row.subscription_id,
          serviceName: names.get(row.service_id) ?? row.service_id,
          amount: { minorUnits: row.amount_minor, currency: row.currency },
          state: row.state,
          paidAt: row.paid_at.toISOString(),
        }),
      );
    },
  };
}
