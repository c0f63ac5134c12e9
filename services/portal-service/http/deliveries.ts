import { z } from "zod";
import { notFound } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { PaymentDelivery } from "#contracts/portal-service/deliveries.ts";
import { difference } from "#contracts/portal-service/differences.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { countRefusedSince, findDelivery, listDeliveries } from "../store/deliveries.ts";
import type { PortalDatabase } from "../store/tables.ts";
import { readPaymentCursor } from "./payments.ts";

type Row = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

const differences = z.array(difference).catch([]);
const dayMilliseconds = 86_400_000;

function show(row: Row): PaymentDelivery {
  return {
    id: row.id,
    eventType: row.event_type,
    outcome: row.fault ? "refused" : "believed",
    fault: row.fault,
    providerId: row.provider_id,
    subscriptionId: row.subscription_id,
    times: row.times,
    receivedAt: row.received_at.toISOString(),
    lastReceivedAt: (row.last_received_at ?? row.received_at).toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    differences: differences.parse(row.differences),
  };
}

/** Creates the handlers of the operator's view of PayPal's deliveries. */
export function createDeliveryHandlers({
  db,
  clock,
}: {
  db: PortalDatabase;
  clock: Clock;
}): Pick<Handlers<typeof portalServiceContract>, "listDeliveries" | "getDelivery"> {
  return {
    async listDeliveries({ query }) {
      const { outcome, subscriptionId, query: named, cursor, limit } = query;
      const before = cursor === undefined ? undefined : readPaymentCursor(cursor);
      const rows = await listDeliveries(db, { outcome, subscriptionId, named }, { before, limit });
      const page = pageFrom(rows, limit, (row) => [row.received_at.toISOString(), row.id], show);
      const since = new Date(clock.now().getTime() - dayMilliseconds);
      return { ...page, refusedOfDay: await countRefusedSince(db, since) };
    },

    async getDelivery({ params }) {
      const row = await findDelivery(db, params.paymentDeliveryId);
      if (!row) throw notFound("delivery");
      return show(row);
    },
  };
}
